#include "selected_offsets.h"

#include "module.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace dovetail {

using namespace llvm;

namespace {

/// Returns the variable that contains an address, if only `getelementptr` leads from it to the
/// address.
AllocaInst *variableOf(Value *Address) {
  while (auto *GEP = dyn_cast<GetElementPtrInst>(Address))
    Address = GEP->getPointerOperand();
  return dyn_cast<AllocaInst>(Address);
}

/// Returns the offset of an address from the start of its variable, in bytes.
Value *offsetOf(Value *Address, IRBuilder<> &Builder, const DataLayout &DL) {
  Value *Offset = ConstantInt::get(DL.getIndexType(Address->getType()), 0);
  for (; auto *GEP = dyn_cast<GetElementPtrInst>(Address); Address = GEP->getPointerOperand())
    Offset = Builder.CreateAdd(Offset, emitGEPOffset(&Builder, DL, GEP));
  return Offset;
}

/// Whether an instruction selects between addresses in the same variable.
bool selectsInVariable(const Instruction &I) {
  if (!isa<SelectInst>(I) || !I.getType()->isPointerTy())
    return false;
  const AllocaInst *Variable = variableOf(I.getOperand(1));
  return Variable && Variable == variableOf(I.getOperand(2));
}

void selectOffset(Instruction &Selection, const DataLayout &DL) {
  IRBuilder<> Builder(&Selection);
  auto [Condition, True, False] =
      std::tuple(Selection.getOperand(0), Selection.getOperand(1), Selection.getOperand(2));
  Value *Offset =
      Builder.CreateSelect(Condition, offsetOf(True, Builder, DL), offsetOf(False, Builder, DL));
  Selection.replaceAllUsesWith(
      Builder.CreateInBoundsGEP(Builder.getInt8Ty(), variableOf(True), Offset));
  Selection.eraseFromParent();
}

} // namespace

void selectOffsets(ModuleHandle &Handle) {
  Handle.use("selecting offsets", [](Module &M) {
    for (Function &F : M)
      // In order: a replaced selection may be an operand of a later one.
      for (Instruction &I : make_early_inc_range(instructions(F)))
        if (selectsInVariable(I))
          selectOffset(I, M.getDataLayout());
  });
}

} // namespace dovetail
