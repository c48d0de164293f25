#include "nvptx_forms.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

namespace dovetail {

using namespace llvm;

namespace {

/// Whether an instruction casts floating-point numbers to integers that are used in computations.
bool isUsedAsInteger(const Instruction &I) {
  const auto *BitCast = dyn_cast<BitCastInst>(&I);
  return BitCast && BitCast->getSrcTy()->isFPOrFPVectorTy() &&
         !BitCast->getDestTy()->isFPOrFPVectorTy() &&
         any_of(BitCast->users(), [](const User *U) { return !isa<StoreInst>(U); });
}

/// Returns the bits of a number, moved to a register that was never written as a number.
Value *movedBits(IRBuilder<> &Builder, Value *Number) {
  unsigned Width = Number->getType()->getScalarSizeInBits();
  if (Width != 16 && Width != 32 && Width != 64)
    return Builder.CreateBitCast(Number, Builder.getIntNTy(Width));
  Type *Ty = Builder.getIntNTy(Width);
  const char *Constraints = Width == 16 ? "=h,h" : Width == 32 ? "=r,r" : "=l,l";
  auto *Move = InlineAsm::get(FunctionType::get(Ty, Ty, false),
                              "mov.b" + std::to_string(Width) + " $0, $1;", Constraints, false);
  return Builder.CreateCall(Move, Builder.CreateBitCast(Number, Ty));
}

Value *movedBitsOfAll(IRBuilder<> &Builder, Value *Number) {
  auto *VecTy = dyn_cast<FixedVectorType>(Number->getType());
  if (!VecTy)
    return movedBits(Builder, Number);
  unsigned Width = VecTy->getScalarSizeInBits();
  Value *Bits = PoisonValue::get(VecTy->getWithNewType(Builder.getIntNTy(Width)));
  for (unsigned Idx = 0; Idx != VecTy->getNumElements(); ++Idx)
    Bits = Builder.CreateInsertElement(
        Bits, movedBits(Builder, Builder.CreateExtractElement(Number, Idx)), Idx);
  return Bits;
}

/// Whether LLVM replaces a selection by a maximum or minimum with a different sign of zero.
bool losesZeroSign(const Instruction &I) {
  using namespace PatternMatch;
  CmpPredicate Pred;
  Value *Number;
  const auto *Select = dyn_cast<SelectInst>(&I);
  if (!Select || !Select->getType()->isFPOrFPVectorTy() ||
      !match(Select->getCondition(), m_FCmp(Pred, m_Value(Number), m_AnyZeroFP())) ||
      Select->getTrueValue() != Number)
    return false;
  return (Pred == CmpInst::FCMP_OGT && match(Select->getFalseValue(), m_NegZeroFP())) ||
         (Pred == CmpInst::FCMP_OLT && match(Select->getFalseValue(), m_PosZeroFP()));
}

} // namespace

PreservedAnalyses SeparateFloatBits::run(Function &F, FunctionAnalysisManager &) {
  SmallVector<Instruction *> Casts;
  for (Instruction &I : instructions(F))
    if (isUsedAsInteger(I))
      Casts.push_back(&I);
  for (Instruction *Cast : Casts) {
    IRBuilder<> Builder(Cast);
    Value *Bits = movedBitsOfAll(Builder, Cast->getOperand(0));
    Cast->replaceAllUsesWith(Builder.CreateBitCast(Bits, Cast->getType()));
    Cast->eraseFromParent();
  }
  return Casts.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

PreservedAnalyses KeepZeroSigns::run(Function &F, FunctionAnalysisManager &) {
  SmallVector<SelectInst *> Selections;
  for (Instruction &I : instructions(F))
    if (losesZeroSign(I))
      Selections.push_back(cast<SelectInst>(&I));
  for (SelectInst *Select : Selections) {
    IRBuilder<> Builder(Select);
    Value *Zero = movedBitsOfAll(Builder, Select->getFalseValue());
    Select->setFalseValue(Builder.CreateBitCast(Zero, Select->getType()));
  }
  return Selections.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace dovetail
