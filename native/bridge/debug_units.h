// Compile units of the debug information, when part of a module moves to a new one.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include <optional>
#include <utility>

namespace dovetail {

/// A compile unit lists all globals, types and using-declarations of its translation unit; copied
/// as it is, it would drag all of that into every extracted module. So each unit gets a stand-in
/// with empty lists before anything is mapped, and afterwards the stand-ins that something refers
/// to are listed in the new module, with the global variables that came along.
class DebugUnits {
public:
  DebugUnits(llvm::Module &source, llvm::ValueToValueMapTy &map);

  /// Once all else is mapped: fills `!llvm.dbg.cu` of the new module. `globals` has the variables
  /// that were taken, old and new.
  void
  finish(llvm::Module &destination,
         llvm::ArrayRef<std::pair<const llvm::GlobalVariable *, llvm::GlobalVariable *>> globals);

private:
  using Globals = llvm::DenseMap<const llvm::DICompileUnit *, llvm::SmallVector<llvm::Metadata *>>;

  Globals globalsByUnit(
      llvm::ArrayRef<std::pair<const llvm::GlobalVariable *, llvm::GlobalVariable *>> globals);
  llvm::DICompileUnit *unitOf(const llvm::DIGlobalVariableExpression *expression);
  llvm::SmallPtrSet<const llvm::Metadata *, 4> referredUnits() const;

  llvm::Module &source;
  llvm::ValueToValueMapTy &map;
  /// Old unit and stand-in, in the order of the source.
  llvm::SmallVector<std::pair<llvm::DICompileUnit *, llvm::DICompileUnit *>, 2> units;
  /// Read from the units' lists when a variable's scope does not tell its unit.
  std::optional<llvm::DenseMap<const llvm::Metadata *, llvm::DICompileUnit *>> owners;
};

} // namespace dovetail
