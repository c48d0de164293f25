#include "nvptx_forms.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

namespace dovetail {

using namespace llvm;

namespace {

/// Whether an instruction gives the bits of numbers to users that compute with them.
bool isUsedAsInteger(const Instruction &instruction) {
  const auto *cast = dyn_cast<BitCastInst>(&instruction);
  return cast && cast->getSrcTy()->isFPOrFPVectorTy() && !cast->getDestTy()->isFPOrFPVectorTy() &&
         any_of(cast->users(), [](const User *user) { return !isa<StoreInst>(user); });
}

/// The bits of a number, moved into a register that was never a number.
Value *movedBits(IRBuilder<> &builder, Value *number) {
  unsigned width = number->getType()->getScalarSizeInBits();
  if (width != 16 && width != 32 && width != 64)
    return builder.CreateBitCast(number, builder.getIntNTy(width));
  Type *type = builder.getIntNTy(width);
  const char *constraints = width == 16 ? "=h,h" : width == 32 ? "=r,r" : "=l,l";
  auto *move = InlineAsm::get(FunctionType::get(type, type, false),
                              "mov.b" + std::to_string(width) + " $0, $1;", constraints, false);
  return builder.CreateCall(move, builder.CreateBitCast(number, type));
}

Value *movedBitsOfAll(IRBuilder<> &builder, Value *number) {
  auto *vector = dyn_cast<FixedVectorType>(number->getType());
  if (!vector)
    return movedBits(builder, number);
  unsigned width = vector->getScalarSizeInBits();
  Value *bits = PoisonValue::get(vector->getWithNewType(builder.getIntNTy(width)));
  for (unsigned each = 0; each != vector->getNumElements(); ++each)
    bits = builder.CreateInsertElement(
        bits, movedBits(builder, builder.CreateExtractElement(number, each)), each);
  return bits;
}

/// Whether LLVM makes a maximum or minimum of a selection that has another sign for a zero.
bool losesZeroSign(const Instruction &instruction) {
  using namespace PatternMatch;
  CmpPredicate predicate;
  Value *number;
  const auto *select = dyn_cast<SelectInst>(&instruction);
  if (!select || !select->getType()->isFPOrFPVectorTy() ||
      !match(select->getCondition(), m_FCmp(predicate, m_Value(number), m_AnyZeroFP())) ||
      select->getTrueValue() != number)
    return false;
  return (predicate == CmpInst::FCMP_OGT && match(select->getFalseValue(), m_NegZeroFP())) ||
         (predicate == CmpInst::FCMP_OLT && match(select->getFalseValue(), m_PosZeroFP()));
}

} // namespace

PreservedAnalyses SeparateFloatBits::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<Instruction *> casts;
  for (Instruction &instruction : instructions(function))
    if (isUsedAsInteger(instruction))
      casts.push_back(&instruction);
  for (Instruction *cast : casts) {
    IRBuilder<> builder(cast);
    Value *bits = movedBitsOfAll(builder, cast->getOperand(0));
    cast->replaceAllUsesWith(builder.CreateBitCast(bits, cast->getType()));
    cast->eraseFromParent();
  }
  return casts.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

PreservedAnalyses KeepZeroSigns::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<SelectInst *> selections;
  for (Instruction &instruction : instructions(function))
    if (losesZeroSign(instruction))
      selections.push_back(cast<SelectInst>(&instruction));
  for (SelectInst *select : selections) {
    IRBuilder<> builder(select);
    Value *zero = movedBitsOfAll(builder, select->getFalseValue());
    select->setFalseValue(builder.CreateBitCast(zero, select->getType()));
  }
  return selections.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace dovetail
