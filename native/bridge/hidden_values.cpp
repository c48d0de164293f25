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

/// The number whose sign an instruction changes, however that is written; null for others.
Value *negatedBy(Instruction &instruction) {
  using namespace PatternMatch;
  Value *number;
  if (match(&instruction, m_FNeg(m_Value(number))) ||
      match(&instruction, m_c_FMul(m_Value(number), m_SpecificFP(-1.0))) ||
      match(&instruction, m_FDiv(m_Value(number), m_SpecificFP(-1.0))))
    return number;
  if (match(&instruction, m_c_Xor(m_BitCast(m_Value(number)), m_SignMask())) &&
      number->getType()->isFPOrFPVectorTy())
    return number;
  return nullptr;
}

/// Whether optimisers may turn an instruction into a negation: `sitofp (0 - x)` becomes
/// `fneg (sitofp x)`, and `sitofp i1 x` becomes `fneg (uitofp i1 x)`.
bool mayNegate(Instruction &instruction) {
  return isa<SIToFPInst>(instruction) || negatedBy(instruction);
}

/// Whether an instruction is a quotient that may be zero by zero, and has to be right then.
bool mayBeZeroByZero(const Instruction &instruction) {
  using namespace PatternMatch;
  return match(&instruction, m_FDiv(m_Value(), m_Value())) && !instruction.hasNoNaNs() &&
         !match(instruction.getOperand(0), m_NonZeroFP());
}

/// Whether an instruction makes a `half` of a number that may be too large for it.
bool isToHalf(const Instruction &instruction) {
  return isa<SIToFPInst, UIToFPInst, FPTruncInst>(instruction) &&
         instruction.getType()->getScalarType()->isHalfTy();
}

/// Whether drivers compute wrongly what depends on the result of an instruction, in any function.
bool isResultFolded(const Instruction &instruction) {
  return isa<FPToSIInst, FPToUIInst>(instruction) || isToHalf(instruction) ||
         mayBeZeroByZero(instruction);
}

/// Rewrites what one function computes.
class Hiding {
public:
  Hiding(Function &function, FunctionCallee query)
      : function(function), builder(function.getContext()), query(query) {}

  void run(bool waits) {
    SmallVector<Instruction *> folded, negations;
    for (Instruction &instruction : instructions(function)) {
      if (isResultFolded(instruction))
        folded.push_back(&instruction);
      if (waits && mayNegate(instruction))
        negations.push_back(&instruction);
    }
    for (Instruction *instruction : folded)
      hideResult(*instruction);
    for (Instruction *instruction : negations)
      if (auto *conversion = dyn_cast<SIToFPInst>(instruction))
        hideSign(*conversion);
      else
        hideNegation(*instruction);
  }

private:
  Function &function;
  IRBuilder<> builder;
  FunctionCallee query;
  Value *unset = nullptr;

  void hideNegation(Instruction &negation) {
    Value *number = negatedBy(negation);
    APInt sign = APInt::getSignMask(number->getType()->getScalarSizeInBits());
    Value *flipped = changed(number, sign, &negation);
    negation.replaceAllUsesWith(builder.CreateBitCast(flipped, negation.getType()));
    negation.eraseFromParent();
  }

  /// Converts an integer of which nothing is known: it is neither negated nor a boolean.
  void hideSign(SIToFPInst &conversion) {
    Value *number = conversion.getOperand(0);
    Type *type = number->getType();
    if (type->isIntOrIntVectorTy(1)) {
      builder.SetInsertPoint(&conversion);
      number = builder.CreateSExt(number, type->getWithNewType(builder.getInt32Ty()));
    }
    conversion.setOperand(0, changed(number, noneOf(number), &conversion));
  }

  /// Has users of an instruction know nothing of it.
  void hideResult(Instruction &instruction) {
    SmallVector<Use *> uses(make_pointer_range(instruction.uses()));
    Value *bits = changed(&instruction, noneOf(&instruction), instruction.getNextNode());
    Value *same = builder.CreateBitCast(bits, instruction.getType());
    for (Use *use : uses)
      use->set(same);
  }

  APInt noneOf(const Value *value) {
    return APInt::getZero(value->getType()->getScalarSizeInBits());
  }

  /// The bits of a value before an instruction, with some of them flipped.
  Value *changed(Value *value, const APInt &flipped, Instruction *before) {
    Type *type = value->getType();
    Type *bits = type->getWithNewType(builder.getIntNTy(type->getScalarSizeInBits()));
    Value *mask = maskOf(bits, flipped);
    builder.SetInsertPoint(before);
    return builder.CreateXor(builder.CreateBitCast(value, bits), mask);
  }

  /// Constant bits, with a zero in the lowest bit that is not known to be one.
  Value *maskOf(Type *bits, const APInt &set) {
    Value *zero = zeroBit();
    builder.SetInsertPoint(cast<Instruction>(zero)->getNextNode());
    Type *element = bits->getScalarType();
    Value *mask = builder.CreateOr(builder.CreateZExtOrTrunc(zero, element), set);
    auto *vector = dyn_cast<FixedVectorType>(bits);
    return vector ? builder.CreateVectorSplat(vector->getNumElements(), mask) : mask;
  }

  Value *zeroBit() {
    if (!unset) {
      builder.SetInsertPoint(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      CallInst *number = builder.CreateCall(query, builder.getInt32(0));
      number->setCallingConv(CallingConv::SPIR_FUNC);
      unset = builder.CreateLShr(number, number->getType()->getIntegerBitWidth() - 1);
    }
    return unset;
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
            return isResultFolded(instruction) ||
                   (parts.contains(&function) && mayNegate(instruction));
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
