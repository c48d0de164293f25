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
  explicit NamedListIndex(const llvm::NamedMDNode &list);

  /// The nodes that name none but the given globals, in the order of the list.
  llvm::SmallVector<const llvm::MDNode *>
  nodesAbout(llvm::ArrayRef<const llvm::GlobalValue *> globals) const;

private:
  struct Entry {
    const llvm::MDNode *node;
    unsigned globalCount;
  };

  llvm::SmallVector<Entry> entries;
  /// Indices of entries that name no global, and of those that name a certain one.
  llvm::SmallVector<unsigned> general;
  llvm::DenseMap<const llvm::GlobalValue *, llvm::SmallVector<unsigned, 1>> byGlobal;
};

class ExtractionIndex {
public:
  /// The unit of `source` that lists the variable, or null. Units know their variables, but not the
  /// other way round.
  llvm::DICompileUnit *unitListing(const llvm::DIGlobalVariableExpression *variable,
                                   const llvm::Module &source);
  const NamedListIndex &namedList(const llvm::NamedMDNode &list);

  /// To be called when the module may have changed.
  void forget();

private:
  std::optional<llvm::DenseMap<const llvm::Metadata *, llvm::DICompileUnit *>> units;
  llvm::StringMap<NamedListIndex> namedLists;
};

} // namespace dovetail
