// Facts about a whole module that extraction needs. They are collected once for all extracted
// parts.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

#include <optional>

namespace dovetail {

/// The nodes of a named metadata list, indexed by the globals that they name. Some lists have one
/// node per kernel.
class NamedListIndex {
public:
  explicit NamedListIndex(const llvm::NamedMDNode &List);

  /// Returns the nodes that name no global except the given ones, in the order of the list.
  llvm::SmallVector<const llvm::MDNode *>
  nodesAbout(llvm::ArrayRef<const llvm::GlobalValue *> Globals) const;

private:
  struct Entry {
    const llvm::MDNode *Node;
    unsigned GlobalCount;
  };

  llvm::SmallVector<Entry> Entries;
  /// Indices of the entries that name no global.
  llvm::SmallVector<unsigned> General;
  /// Indices of the entries that name a global.
  llvm::DenseMap<const llvm::GlobalValue *, llvm::SmallVector<unsigned, 1>> ByGlobal;
};

class ExtractionIndex {
public:
  /// Returns the unit of `Source` that lists the variable, or null. Units refer to their variables,
  /// but not vice versa.
  llvm::DICompileUnit *unitListing(const llvm::DIGlobalVariableExpression *Variable,
                                   const llvm::Module &Source);
  const NamedListIndex &namedList(const llvm::NamedMDNode &List);

  /// Must be called when the module may have changed.
  void clear();

private:
  std::optional<llvm::DenseMap<const llvm::Metadata *, llvm::DICompileUnit *>> Units;
  llvm::StringMap<NamedListIndex> NamedLists;
};

} // namespace dovetail
