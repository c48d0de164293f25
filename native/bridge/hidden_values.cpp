#include "hidden_values.h"

#include "module.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

namespace dovetail {

using namespace llvm;

namespace {

using Functions = SmallPtrSet<const Function *, 8>;

const Function *calledBy(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  return call ? call->getCalledFunction() : nullptr;
}

/// Those that wait for other work-items, themselves or in what they call.
Functions findWaiting(const llvm::Module &ir, const std::vector<std::string> &barriers) {
  Functions found;
  for (const Function &function : ir)
    if (function.isDeclaration() && any_of(barriers, [&](const std::string &barrier) {
          return function.getName().contains(barrier);
        }))
      found.insert(&function);
  for (bool isNew = !found.empty(); isNew;) {
    isNew = false;
    for (const Function &function : ir)
      if (any_of(instructions(function), [&](const Instruction &instruction) {
            return found.contains(calledBy(instruction));
          }))
        isNew |= found.insert(&function).second;
  }
  return found;
}

/// Those whose code may become part of a function that waits: drivers inline what is called.
Functions partsOfWaiting(const llvm::Module &ir, const Functions &waiting) {
  Functions found = waiting;
  for (const Function &function : ir)
    if (!function.isDeclaration() && !function.hasLocalLinkage() &&
        function.getCallingConv() != CallingConv::SPIR_KERNEL)
      found.insert(&function);
  SmallVector<const Function *> pending(found.begin(), found.end());
  while (!pending.empty())
    for (const Instruction &instruction : instructions(*pending.pop_back_val())) {
      const Function *callee = calledBy(instruction);
      if (callee && found.insert(callee).second)
        pending.push_back(callee);
    }
  return found;
}

/// Whether a constant has an element, or is a number, that is equal to another.
bool hasElement(const Value *value, double number) {
  const auto *constant = dyn_cast<Constant>(value);
  if (!constant)
    return false;
  auto *vector = dyn_cast<FixedVectorType>(constant->getType());
  for (unsigned each = 0, count = vector ? vector->getNumElements() : 1; each != count; ++each) {
    const Constant *element = vector ? constant->getAggregateElement(each) : constant;
    if (const auto *known = dyn_cast_or_null<ConstantFP>(element))
      if (known->isExactlyValue(number))
        return true;
  }
  return false;
}

/// The constant with which an instruction changes the sign of another number, or of some elements
/// of it; null for others.
Use *negatingConstant(Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::FMul:
    for (Use &operand : instruction.operands())
      if (hasElement(operand, -1.0))
        return &operand;
    return nullptr;
  case Instruction::FDiv:
    return hasElement(instruction.getOperand(1), -1.0) ? &instruction.getOperandUse(1) : nullptr;
  case Instruction::FSub:
    return hasElement(instruction.getOperand(0), -0.0) ? &instruction.getOperandUse(0) : nullptr;
  default:
    return nullptr;
  }
}

/// The number whose sign an instruction changes by its bits; null for others.
Value *negatedBy(Instruction &instruction) {
  using namespace PatternMatch;
  Value *number;
  if (auto *negation = dyn_cast<UnaryOperator>(&instruction))
    return negation->getOperand(0);
  if (match(&instruction, m_c_Xor(m_BitCast(m_Value(number)), m_SignMask())) &&
      number->getType()->isFPOrFPVectorTy())
    return number;
  return nullptr;
}

bool isNegation(Instruction &instruction) {
  return negatingConstant(instruction) || negatedBy(instruction);
}

/// Whether an instruction is a quotient that may be zero by zero, and has to be right then.
bool mayBeZeroByZero(const Instruction &instruction) {
  using namespace PatternMatch;
  return match(&instruction, m_FDiv(m_Value(), m_Value())) && !instruction.hasNoNaNs() &&
         !match(instruction.getOperand(0), m_NonZeroFP());
}

/// Whether drivers must know nothing of the operand of an instruction, in any function.
bool isOperandHidden(const Instruction &instruction) {
  return isa<SIToFPInst, UIToFPInst>(instruction) ||
         (isa<FPTruncInst>(instruction) && instruction.getType()->getScalarType()->isHalfTy());
}

/// Whether a number may be a sum, difference or product that wrapped around, at its own width or
/// where it was truncated.
bool mayHaveWrapped(const Value *value, bool truncated = false, unsigned depth = 0) {
  const auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || depth == 6)
    return false;
  switch (instruction->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
    if (truncated || !instruction->hasNoSignedWrap())
      return true;
    break;
  case Instruction::Trunc:
    truncated = true;
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
  return any_of(instruction->operand_values(), [&](const Value *operand) {
    return mayHaveWrapped(operand, truncated, depth + 1);
  });
}

/// Whether a number is only an index of what is in memory, which no object is large enough for to
/// wrap around.
bool isAddress(const Value &value, unsigned depth = 0) {
  return depth != 6 && !value.use_empty() && all_of(value.users(), [&](const User *user) {
    if (const auto *sum = dyn_cast<OverflowingBinaryOperator>(user))
      return isAddress(*sum, depth + 1);
    return isa<GetElementPtrInst>(user);
  });
}

/// Whether an instruction extends the sign of a number that may have wrapped around.
bool extendsWrapped(const Instruction &instruction) {
  using namespace PatternMatch;
  Value *number;
  const APInt *count;
  unsigned width = instruction.getType()->getScalarSizeInBits();
  if (match(&instruction, m_SExt(m_Value(number)))) {
    width = number->getType()->getScalarSizeInBits();
    if (!mayHaveWrapped(number))
      return false;
  } else if (match(&instruction, m_AShr(m_Value(number), m_APInt(count)))) {
    bool truncates = match(number, m_Shl(m_Value(number), m_ConstantInt()));
    width -= count->getLimitedValue(width);
    if (!mayHaveWrapped(number, truncates))
      return false;
  } else {
    return false;
  }
  return width < 32 || !isAddress(instruction);
}

bool isConcerned(Instruction &instruction, bool waits) {
  return isOperandHidden(instruction) || mayBeZeroByZero(instruction) ||
         extendsWrapped(instruction) ||
         (waits && isNegation(instruction));
}

/// Rewrites what one function computes.
class Hiding {
public:
  Hiding(Function &function, FunctionCallee query)
      : function(function), builder(function.getContext()), query(query) {}

  void run(bool waits) {
    SmallVector<Instruction *> concerned;
    for (Instruction &instruction : instructions(function))
      if (isConcerned(instruction, waits))
        concerned.push_back(&instruction);
    for (Instruction *instruction : concerned) {
      if (waits && isNegation(*instruction))
        hideNegation(*instruction);
      else if (extendsWrapped(*instruction))
        hideExtension(*instruction);
      else if (isOperandHidden(*instruction))
        hideOperand(*instruction);
      else
        hideResult(*instruction);
    }
  }

private:
  Function &function;
  IRBuilder<> builder;
  FunctionCallee query;
  CallInst *number = nullptr;

  void hideNegation(Instruction &negation) {
    if (Use *constant = negatingConstant(negation)) {
      constant->set(same(constant->get(), &negation));
      if (mayBeZeroByZero(negation))
        hideResult(negation);
      return;
    }
    Value *other = negated(negatedBy(negation), &negation);
    negation.replaceAllUsesWith(builder.CreateBitCast(other, negation.getType()));
    negation.eraseFromParent();
  }

  /// Converts a number of which nothing is known: it is neither negated nor a boolean, for example.
  void hideOperand(Instruction &conversion) {
    Value *value = conversion.getOperand(0);
    Type *type = value->getType();
    if (type->isIntOrIntVectorTy(1)) {
      builder.SetInsertPoint(&conversion);
      value = builder.CreateIntCast(value, type->getWithNewType(builder.getInt32Ty()),
                                    isa<SIToFPInst>(conversion));
    }
    conversion.setOperand(0, same(value, &conversion));
  }

  /// Extends a number without its sign, and its sign after that, with means that drivers do not
  /// take for a linear function of the work-item.
  void hideExtension(Instruction &extension) {
    Value *number = extension.getOperand(0);
    Type *type = extension.getType();
    builder.SetInsertPoint(&extension);
    APInt sign = APInt::getSignMask(number->getType()->getScalarSizeInBits());
    Value *low;
    if (isa<SExtInst>(extension)) {
      low = builder.CreateZExt(number, type);
      sign = sign.zext(type->getScalarSizeInBits());
    } else {
      const APInt *count = nullptr;
      match(extension.getOperand(1), PatternMatch::m_APInt(count));
      low = builder.CreateLShr(number, extension.getOperand(1));
      sign = sign.lshr(*count);
    }
    Constant *bias = ConstantInt::get(type, sign);
    Value *biased = same(builder.CreateXor(low, bias), &extension);
    extension.replaceAllUsesWith(builder.CreateSub(biased, bias));
    extension.eraseFromParent();
  }

  /// Has users of an instruction know nothing of it.
  void hideResult(Instruction &instruction) {
    SmallVector<Use *> uses(make_pointer_range(instruction.uses()));
    Value *hidden = same(&instruction, instruction.getNextNode());
    for (Use *use : uses)
      use->set(hidden);
  }

  /// A value before an instruction, of which nothing is known, in none of its bits.
  Value *same(Value *value, Instruction *before) {
    builder.SetInsertPoint(afterQuery());
    Type *bits = bitsOf(value->getType());
    Value *all = builder.CreateAShr(number, number->getType()->getIntegerBitWidth() - 1);
    return flipped(value, splat(builder.CreateZExtOrTrunc(all, bits->getScalarType()), bits),
                   before);
  }

  /// A value with another sign before an instruction.
  Value *negated(Value *value, Instruction *before) {
    builder.SetInsertPoint(afterQuery());
    Type *bits = bitsOf(value->getType());
    Value *lowest = builder.CreateLShr(number, number->getType()->getIntegerBitWidth() - 1);
    Value *mask = builder.CreateOr(builder.CreateZExtOrTrunc(lowest, bits->getScalarType()),
                                   APInt::getSignMask(bits->getScalarSizeInBits()));
    return flipped(value, splat(mask, bits), before);
  }

  Value *flipped(Value *value, Value *mask, Instruction *before) {
    builder.SetInsertPoint(before);
    Value *bits = builder.CreateXor(builder.CreateBitCast(value, mask->getType()), mask);
    return builder.CreateBitCast(bits, value->getType());
  }

  Type *bitsOf(Type *type) {
    return type->getWithNewType(builder.getIntNTy(type->getScalarSizeInBits()));
  }

  Value *splat(Value *element, Type *type) {
    auto *vector = dyn_cast<FixedVectorType>(type);
    return vector ? builder.CreateVectorSplat(vector->getNumElements(), element) : element;
  }

  /// Where the number is known whose highest bit is never set.
  Instruction *afterQuery() {
    if (!number) {
      builder.SetInsertPoint(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      number = builder.CreateCall(query, builder.getInt32(0));
      number->setCallingConv(CallingConv::SPIR_FUNC);
    }
    return number->getNextNode();
  }
};

} // namespace

void hideValues(ModuleHandle &module, const std::vector<std::string> &barriers,
                const std::string &query) {
  module.use("hiding values", [&](llvm::Module &ir) {
    Functions parts = partsOfWaiting(ir, findWaiting(ir, barriers));
    SmallVector<Function *> concerned;
    for (Function &function : ir)
      if (any_of(instructions(function), [&](Instruction &instruction) {
            return isConcerned(instruction, parts.contains(&function));
          }))
        concerned.push_back(&function);
    if (concerned.empty())
      return;
    Type *result = Type::getInt64Ty(ir.getContext()),
         *dimension = Type::getInt32Ty(ir.getContext());
    FunctionCallee callee = ir.getOrInsertFunction(query, result, dimension);
    cast<Function>(callee.getCallee())->setCallingConv(CallingConv::SPIR_FUNC);
    for (Function *function : concerned)
      Hiding(*function, callee).run(parts.contains(function));
  });
}

} // namespace dovetail
