#include "hidden_values.h"

#include "module.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

namespace dovetail {

using namespace llvm;

namespace {

using Functions = SmallPtrSet<const Function *, 8>;

/// An attribute of functions whose values are hidden: a second time would undo it.
constexpr char isDone[] = "dovetail-values-hidden";

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
         extendsWrapped(instruction) || (waits && isNegation(instruction));
}

/// Whether a driver may know what a pointer points to: local variables, and constants.
bool isKnownMemory(const Value *pointer) {
  SmallVector<const Value *> objects;
  getUnderlyingObjects(pointer, objects);
  return any_of(objects, [](const Value *object) {
    if (const auto *variable = dyn_cast<GlobalVariable>(object))
      return variable->isConstant();
    return isa<AllocaInst>(object) ||
           (isa<Argument>(object) &&
            cast<Argument>(object)->getParent()->getCallingConv() != CallingConv::SPIR_KERNEL);
  });
}

/// What may make floating-point numbers known to a driver that unrolls loops, splits variables and
/// inlines calls.
class Sources {
public:
  SetVector<Use *> constants;
  SetVector<Instruction *> results;
  SetVector<Argument *> arguments;

  /// Add the sources of a number which is itself not a constant.
  void add(Value *number) {
    SmallVector<Value *> pending{number};
    while (!pending.empty()) {
      Value *value = pending.pop_back_val();
      if (!seen.insert(value).second)
        continue;
      if (auto *argument = dyn_cast<Argument>(value)) {
        if (argument->getParent()->getCallingConv() != CallingConv::SPIR_KERNEL)
          arguments.insert(argument);
      } else if (auto *instruction = dyn_cast<Instruction>(value)) {
        addFrom(*instruction, pending);
      }
    }
  }

private:
  SmallPtrSet<Value *, 16> seen;

  void addFrom(Instruction &instruction, SmallVectorImpl<Value *> &pending) {
    switch (instruction.getOpcode()) {
    case Instruction::Load:
      if (isKnownMemory(cast<LoadInst>(instruction).getPointerOperand()))
        results.insert(&instruction);
      return;
    case Instruction::Call:
      if (const Function *callee = calledBy(instruction); callee && !callee->isDeclaration())
        results.insert(&instruction);
      else
        copy_if(instruction.operands(), std::back_inserter(pending),
                [](const Value *operand) { return operand->getType()->isFPOrFPVectorTy(); });
      return;
    case Instruction::PHI:
    case Instruction::Select:
    case Instruction::InsertElement:
    case Instruction::ShuffleVector:
      for (Use &operand : instruction.operands())
        if (!isa<Constant>(operand))
          pending.push_back(operand);
        else if (operand->getType()->isFPOrFPVectorTy() && !isa<UndefValue>(operand))
          constants.insert(&operand);
      return;
    case Instruction::FAdd:
    case Instruction::FSub:
    case Instruction::FMul:
    case Instruction::FDiv:
      // The result is known only if both operands are.
      pending.push_back(instruction.getOperand(isa<Constant>(instruction.getOperand(0)) ? 1 : 0));
      return;
    case Instruction::FNeg:
    case Instruction::FPExt:
    case Instruction::FPTrunc:
    case Instruction::BitCast:
    case Instruction::ExtractElement:
      pending.push_back(instruction.getOperand(0));
      return;
    default:
      return;
    }
  }
};

/// Rewrites what one function computes.
class Hiding {
public:
  Hiding(Function &function, StringRef query)
      : function(function), builder(function.getContext()), query(query) {}

  void run(bool waits) {
    if (waits)
      hideSources();
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
  StringRef query;
  Instruction *zero = nullptr;

  /// Odd numbers, which spread the bits of the zero over all bits of a mask. Operands and results
  /// have different ones: the same mask twice is none.
  static constexpr uint64_t forOperands = 0x9e3779b97f4a7c15, forResults = 0xd1b54a32d192ed03;

  /// Hides what drivers could find to be a factor of -1: they would negate the other factor.
  void hideSources() {
    Sources sources;
    for (Instruction &instruction : instructions(function))
      switch (instruction.getOpcode()) {
      case Instruction::FMul:
        sources.add(instruction.getOperand(0));
        sources.add(instruction.getOperand(1));
        break;
      case Instruction::FDiv:
        sources.add(instruction.getOperand(1));
        break;
      case Instruction::FSub:
        sources.add(instruction.getOperand(0));
        break;
      }
    for (Use *constant : sources.constants) {
      auto *user = cast<Instruction>(constant->getUser());
      auto *phi = dyn_cast<PHINode>(user);
      setIncoming(*constant, same(constant->get(),
                                  phi ? phi->getIncomingBlock(*constant)->getTerminator() : user));
    }
    for (Instruction *result : sources.results)
      hideResult(*result);
    for (Argument *argument : sources.arguments) {
      SmallVector<Use *> uses(make_pointer_range(argument->uses()));
      Value *hidden = same(argument, afterZero(), forResults);
      for (Use *use : uses)
        use->set(hidden);
    }
  }

  /// Sets an operand, in a phi for all edges from the same block: they have to agree.
  static void setIncoming(Use &operand, Value *value) {
    auto *phi = dyn_cast<PHINode>(operand.getUser());
    if (!phi)
      return operand.set(value);
    phi->setIncomingValueForBlock(phi->getIncomingBlock(operand), value);
  }

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
    Value *hidden = same(&instruction, instruction.getNextNode(), forResults);
    for (Use *use : uses)
      use->set(hidden);
  }

  /// A value before an instruction, of which nothing is known, in none of its bits.
  Value *same(Value *value, Instruction *before, uint64_t factor = forOperands) {
    return flipped(value, maskOf(bitsOf(value->getType()), factor), before);
  }

  /// A value with another sign before an instruction.
  Value *negated(Value *value, Instruction *before) {
    Type *bits = bitsOf(value->getType());
    Value *mask = maskOf(bits, forOperands);
    APInt sign = APInt::getSignMask(bits->getScalarSizeInBits());
    return flipped(value, builder.CreateOr(mask, ConstantInt::get(bits, sign)), before);
  }

  /// The zero as a number or vector of a type.
  Value *maskOf(Type *bits, uint64_t factor) {
    builder.SetInsertPoint(afterZero());
    Value *mask = builder.CreateMul(zero, builder.getInt64(factor));
    return splat(builder.CreateTrunc(mask, bits->getScalarType()), bits);
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

  /// Where a number is known that is zero, which nothing tells: two bits that are never set. Of one
  /// bit optimisers would make a condition, and know the masks of either case.
  Instruction *afterZero() {
    if (!zero) {
      builder.SetInsertPoint(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      FunctionCallee callee = function.getParent()->getOrInsertFunction(query, builder.getInt64Ty(),
                                                                        builder.getInt32Ty());
      cast<Function>(callee.getCallee())->setCallingConv(CallingConv::SPIR_FUNC);
      CallInst *number = builder.CreateCall(callee, builder.getInt32(0));
      number->setCallingConv(CallingConv::SPIR_FUNC);
      zero = cast<Instruction>(builder.CreateLShr(number, 62));
    }
    return zero->getNextNode();
  }
};

} // namespace

void hideValues(ModuleHandle &module, const std::vector<std::string> &barriers,
                const std::string &query) {
  module.use("hiding values", [&](llvm::Module &ir) {
    Functions parts = partsOfWaiting(ir, findWaiting(ir, barriers));
    SmallVector<Function *> defined;
    for (Function &function : ir)
      if (!function.isDeclaration() && !function.hasFnAttribute(isDone))
        defined.push_back(&function);
    for (Function *function : defined) {
      Hiding(*function, query).run(parts.contains(function));
      function->addFnAttr(isDone);
    }
  });
}

} // namespace dovetail
