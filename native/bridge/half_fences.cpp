#include "half_fences.h"

#include "module.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace dovetail {

using namespace llvm;

namespace {

bool isHalf(const Instruction &I) { return I.getType()->getScalarType()->isHalfTy(); }

/// Whether an instruction converts an integer, or a number that may prove to be one, to `half`.
bool isConversion(const Instruction &I) {
  return isHalf(I) && isa<SIToFPInst, UIToFPInst, FPTruncInst>(I);
}

bool isFence(const Instruction &I) {
  const auto *II = dyn_cast<IntrinsicInst>(&I);
  return II && II->getIntrinsicID() == Intrinsic::arithmetic_fence && isHalf(I);
}

void addFence(Instruction &Conversion) {
  IRBuilder<> Builder(Conversion.getNextNode());
  Value *Fence = Builder.CreateArithmeticFence(&Conversion, Conversion.getType());
  Conversion.replaceUsesWithIf(Fence, [&](const Use &U) { return U.getUser() != Fence; });
}

void removeFence(Instruction &Fence) {
  Function *Declaration = cast<CallInst>(Fence).getCalledFunction();
  Fence.replaceAllUsesWith(Fence.getOperand(0));
  Fence.eraseFromParent();
  if (Declaration->use_empty())
    Declaration->eraseFromParent();
}

template <typename Predicate> SmallVector<Instruction *> findAll(Module &M, Predicate IsWanted) {
  SmallVector<Instruction *> Found;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (IsWanted(I))
        Found.push_back(&I);
  return Found;
}

} // namespace

void addHalfFences(ModuleHandle &Handle) {
  Handle.use("adding fences", [](Module &M) {
    for (Instruction *Conversion : findAll(M, isConversion))
      addFence(*Conversion);
  });
}

void removeHalfFences(ModuleHandle &Handle) {
  Handle.use("removing fences", [](Module &M) {
    for (Instruction *Fence : findAll(M, isFence))
      removeFence(*Fence);
  });
}

} // namespace dovetail
