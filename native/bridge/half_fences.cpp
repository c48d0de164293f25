#include "half_fences.h"

#include "module.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace dovetail {

using namespace llvm;

namespace {

bool isHalf(const Instruction &instruction) {
  return instruction.getType()->getScalarType()->isHalfTy();
}

/// Whether an instruction makes a `half` of what is, or may turn out to be, an integer.
bool isConversion(const Instruction &instruction) {
  return isHalf(instruction) && isa<SIToFPInst, UIToFPInst, FPTruncInst>(instruction);
}

bool isFence(const Instruction &instruction) {
  const auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == Intrinsic::arithmetic_fence && isHalf(instruction);
}

void addFence(Instruction &conversion) {
  IRBuilder<> builder(conversion.getNextNode());
  Value *fence = builder.CreateArithmeticFence(&conversion, conversion.getType());
  conversion.replaceUsesWithIf(fence, [&](const Use &use) { return use.getUser() != fence; });
}

void removeFence(Instruction &fence) {
  Function *declaration = cast<CallInst>(fence).getCalledFunction();
  fence.replaceAllUsesWith(fence.getOperand(0));
  fence.eraseFromParent();
  if (declaration->use_empty())
    declaration->eraseFromParent();
}

template <typename Predicate>
SmallVector<Instruction *> findAll(llvm::Module &ir, Predicate isWanted) {
  SmallVector<Instruction *> found;
  for (Function &function : ir)
    for (Instruction &instruction : instructions(function))
      if (isWanted(instruction))
        found.push_back(&instruction);
  return found;
}

} // namespace

void addHalfFences(ModuleHandle &module) {
  module.use("adding fences", [](llvm::Module &ir) {
    for (Instruction *conversion : findAll(ir, isConversion))
      addFence(*conversion);
  });
}

void removeHalfFences(ModuleHandle &module) {
  module.use("removing fences", [](llvm::Module &ir) {
    for (Instruction *fence : findAll(ir, isFence))
      removeFence(*fence);
  });
}

} // namespace dovetail
