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
  DebugUnits(const llvm::Module &source, llvm::ValueToValueMapTy &map, ExtractionIndex &index);

  /// To be called with each global, and each node that no global has, before it is mapped.
  void prepare(const llvm::GlobalObject &object);
  void prepare(const llvm::MDNode &node);

  /// Once all else is mapped: fills `!llvm.dbg.cu` of the new module. `globals` has the variables
  /// that were taken, old and new.
  void
  finish(llvm::Module &destination,
         llvm::ArrayRef<std::pair<const llvm::GlobalVariable *, llvm::GlobalVariable *>> globals);

private:
  void prepareInstruction(const llvm::Instruction &instruction);
  void visit(const llvm::Metadata *metadata);
  void visitPending();
  llvm::DICompileUnit *standInFor(llvm::DICompileUnit &unit);
  llvm::DICompileUnit *unitOf(const llvm::DIGlobalVariableExpression *expression);

  const llvm::Module &source;
  llvm::ValueToValueMapTy &map;
  ExtractionIndex &index;
  const unsigned unitCount;
  /// Old unit and stand-in, in the order in which the units were met.
  llvm::MapVector<llvm::DICompileUnit *, llvm::DICompileUnit *> standIns;
  llvm::DenseSet<const llvm::Metadata *> seen;
  llvm::SmallVector<const llvm::MDNode *> pending;
};

} // namespace dovetail
