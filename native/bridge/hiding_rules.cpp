#include "hiding_rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace dovetail {

using namespace llvm;

namespace {

/// Whether a value is a constant equal to `Number`, or a vector with such an element.
bool hasElement(const Value *V, double Number) {
  const auto *C = dyn_cast<Constant>(V);
  if (!C)
    return false;
  auto *Vector = dyn_cast<FixedVectorType>(C->getType());
  for (unsigned Idx = 0, Count = Vector ? Vector->getNumElements() : 1; Idx != Count; ++Idx) {
    const Constant *Element = Vector ? C->getAggregateElement(Idx) : C;
    if (const auto *CFP = dyn_cast_or_null<ConstantFP>(Element))
      if (CFP->isExactlyValue(Number))
        return true;
  }
  return false;
}

} // namespace

Use *negatingConstant(Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FMul:
    for (Use &Op : I.operands())
      if (hasElement(Op, -1.0))
        return &Op;
    return nullptr;
  case Instruction::FDiv:
    return hasElement(I.getOperand(1), -1.0) ? &I.getOperandUse(1) : nullptr;
  case Instruction::FSub:
    return hasElement(I.getOperand(0), -0.0) ? &I.getOperandUse(0) : nullptr;
  default:
    return nullptr;
  }
}

Value *negatedBy(Instruction &I) {
  using namespace PatternMatch;
  Value *Number;
  if (auto *FNeg = dyn_cast<UnaryOperator>(&I))
    return FNeg->getOperand(0);
  if (match(&I, m_c_Xor(m_BitCast(m_Value(Number)), m_SignMask())) &&
      Number->getType()->isFPOrFPVectorTy())
    return Number;
  return nullptr;
}

bool isNegation(Instruction &I) { return negatingConstant(I) || negatedBy(I); }

bool mayBeZeroByZero(const Instruction &I) {
  using namespace PatternMatch;
  return match(&I, m_FDiv(m_Value(), m_Value())) && !I.hasNoNaNs() &&
         !match(I.getOperand(0), m_NonZeroFP());
}

bool isOperandHidden(const Instruction &I) {
  return isa<SIToFPInst, UIToFPInst>(I) ||
         (isa<FPTruncInst>(I) && I.getType()->getScalarType()->isHalfTy());
}

namespace {

/// Whether a number may be a sum, difference or product that wrapped, in its own width or when it
/// was truncated.
bool mayHaveWrapped(const Value *V, bool Truncated = false, unsigned Depth = 0) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth == 6)
    return false;
  switch (I->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
    if (Truncated || !I->hasNoSignedWrap())
      return true;
    break;
  case Instruction::Trunc:
    Truncated = true;
    break;
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::PHI:
  case Instruction::Select:
  case Instruction::ZExt:
  case Instruction::SExt:
    break;
  default:
    return false;
  }
  return any_of(I->operand_values(),
                [&](const Value *Op) { return mayHaveWrapped(Op, Truncated, Depth + 1); });
}

/// Whether a number is only used as an index into memory. No object is large enough for an index to
/// wrap.
bool isAddress(const Value &V, unsigned Depth = 0) {
  return Depth != 6 && !V.use_empty() && all_of(V.users(), [&](const User *U) {
           if (const auto *Sum = dyn_cast<OverflowingBinaryOperator>(U))
             return isAddress(*Sum, Depth + 1);
           return isa<GetElementPtrInst>(U);
         });
}

} // namespace

bool extendsWrapped(const Instruction &I) {
  using namespace PatternMatch;
  Value *Number;
  const APInt *Count;
  unsigned Width = I.getType()->getScalarSizeInBits();
  if (match(&I, m_SExt(m_Value(Number)))) {
    Width = Number->getType()->getScalarSizeInBits();
    if (!mayHaveWrapped(Number))
      return false;
  } else if (match(&I, m_AShr(m_Value(Number), m_APInt(Count)))) {
    bool Truncates = match(Number, m_Shl(m_Value(Number), m_ConstantInt()));
    Width -= Count->getLimitedValue(Width);
    if (!mayHaveWrapped(Number, Truncates))
      return false;
  } else {
    return false;
  }
  return Width < 32 || !isAddress(I);
}

namespace {

/// Whether a number with two incoming values is the smaller or the larger one of them.
bool isExtremumOfBranches(const PHINode &Phi) {
  if (Phi.getNumIncomingValues() != 2)
    return false;
  const Value *Left = Phi.getIncomingValue(0), *Right = Phi.getIncomingValue(1);
  if (isa<Constant>(Left))
    std::swap(Left, Right);
  return !isa<Constant>(Left) && any_of(Left->users(), [&](const User *U) {
    const auto *Compare = dyn_cast<ICmpInst>(U);
    return Compare && Compare->isRelational() && is_contained(Compare->operands(), Right);
  });
}

} // namespace

bool isExtremum(Instruction &I, unsigned Width) {
  if (!I.getType()->getScalarType()->isIntegerTy(Width))
    return false;
  if (const auto *Phi = dyn_cast<PHINode>(&I))
    return isExtremumOfBranches(*Phi);
  Value *Left, *Right;
  return isa<MinMaxIntrinsic>(I) ||
         (isa<SelectInst>(I) &&
          SelectPatternResult::isMinOrMax(matchSelectPattern(&I, Left, Right).Flavor));
}

Use *complementingConstant(Instruction &I) {
  using namespace PatternMatch;
  if (!I.getType()->getScalarType()->isIntegerTy(32))
    return nullptr;
  if (match(&I, m_Xor(m_Value(), m_AllOnes())))
    return &I.getOperandUse(1);
  return match(&I, m_Sub(m_AllOnes(), m_Value())) ? &I.getOperandUse(0) : nullptr;
}

} // namespace dovetail
