// Compile units of the debug information, when part of a module moves to a new one.
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

/// A compile unit lists all globals, types and using-declarations of its translation unit; copied
/// as it is, it would drag all of that into every extracted module. So each unit that the part's
/// metadata lead to gets a stand-in with empty lists before these are mapped, and afterwards the
/// stand-ins are listed in the new module, with the global variables that came along.
class DebugUnits {
public:
  DebugUnits(const llvm::Module &Source, llvm::ValueToValueMapTy &VMap, ExtractionIndex &Index);

  /// To be called with each global, and each node that no global has, before it is mapped.
  void prepare(const llvm::GlobalObject &Object);
  void prepare(const llvm::MDNode &Node);

  /// Once all else is mapped: fills `!llvm.dbg.cu` of the new module. `globals` has the variables
  /// that were taken, old and new.
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
  /// Old unit and stand-in, in the order in which the units were met.
  llvm::MapVector<llvm::DICompileUnit *, llvm::DICompileUnit *> StandIns;
  llvm::DenseSet<const llvm::Metadata *> Visited;
  llvm::SmallVector<const llvm::MDNode *> Worklist;
};

} // namespace dovetail
