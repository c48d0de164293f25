// Which compile unit's list a global variable of the debug information is in.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

#include <optional>

namespace dovetail {

/// Only a unit knows its variables, not the other way round, so all units are read on the first
/// question; a module that is taken apart asks once a part.
class DebugOwners {
public:
  /// The unit of `source` that lists the variable, or null.
  llvm::DICompileUnit *ownerOf(const llvm::DIGlobalVariableExpression *variable,
                               const llvm::Module &source);
  /// To be called when the module may have changed.
  void forget() { owners.reset(); }

private:
  std::optional<llvm::DenseMap<const llvm::Metadata *, llvm::DICompileUnit *>> owners;
};

} // namespace dovetail
