// Compile units of debug information, when a part of a module is copied to a new one.
#pragma once

#include "extraction_index.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include <utility>

namespace dovetail {

/// A compile unit lists all globals, types and using-declarations of its translation unit. Copying
/// it would copy all of these into every extracted module. Instead, each unit that is reachable
/// from the part's metadata gets a placeholder with empty lists before the metadata is mapped.
/// Afterwards, the placeholders are listed in the new module, with the global variables that were
/// copied.
class DebugUnits {
public:
  DebugUnits(const llvm::Module &Source, llvm::ValueToValueMapTy &VMap, ExtractionIndex &Index);

  /// Must be called with each global, and each node that is not attached to a global, before it is
  /// mapped.
  void prepare(const llvm::GlobalObject &Object);
  void prepare(const llvm::MDNode &Node);

  /// Fills `!llvm.dbg.cu` of the new module after everything else is mapped. `Globals` are the
  /// copied variables, old and new.
  void
  finish(llvm::Module &Destination,
         llvm::ArrayRef<std::pair<const llvm::GlobalVariable *, llvm::GlobalVariable *>> Globals);

private:
  void prepareInstruction(const llvm::Instruction &I);
  void visit(const llvm::Metadata *MD);
  void visitPending();
  llvm::DICompileUnit *standInFor(llvm::DICompileUnit &Unit);
  llvm::DICompileUnit *unitOf(const llvm::DIGlobalVariableExpression *Expression);

  const llvm::Module &Source;
  llvm::ValueToValueMapTy &VMap;
  ExtractionIndex &Index;
  const unsigned UnitCount;
  /// Old units and their placeholders, in the order of discovery.
  llvm::MapVector<llvm::DICompileUnit *, llvm::DICompileUnit *> StandIns;
  llvm::DenseSet<const llvm::Metadata *> Visited;
  llvm::SmallVector<const llvm::MDNode *> Worklist;
};

} // namespace dovetail
