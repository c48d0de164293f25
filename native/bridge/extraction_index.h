// What extraction has to know of a whole module, read once for all parts that are taken out of it.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

#include <optional>

namespace dovetail {

/// A list of named metadata by the globals that its nodes name: some lists have a node a kernel.
class NamedListIndex {
public:
  explicit NamedListIndex(const llvm::NamedMDNode &List);

  /// The nodes that name none but the given globals, in the order of the list.
  llvm::SmallVector<const llvm::MDNode *>
  nodesAbout(llvm::ArrayRef<const llvm::GlobalValue *> Globals) const;

private:
  struct Entry {
    const llvm::MDNode *Node;
    unsigned GlobalCount;
  };

  llvm::SmallVector<Entry> Entries;
  /// Indices of entries that name no global, and of those that name a certain one.
  llvm::SmallVector<unsigned> General;
  llvm::DenseMap<const llvm::GlobalValue *, llvm::SmallVector<unsigned, 1>> ByGlobal;
};

class ExtractionIndex {
public:
  /// The unit of `source` that lists the variable, or null. Units know their variables, but not the
  /// other way round.
  llvm::DICompileUnit *unitListing(const llvm::DIGlobalVariableExpression *Variable,
                                   const llvm::Module &Source);
  const NamedListIndex &namedList(const llvm::NamedMDNode &List);

  /// To be called when the module may have changed.
  void forget();

private:
  std::optional<llvm::DenseMap<const llvm::Metadata *, llvm::DICompileUnit *>> Units;
  llvm::StringMap<NamedListIndex> NamedLists;
};

} // namespace dovetail
