#include "id_terms.h"

#include "module.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

#include <map>

namespace dovetail {

using namespace llvm;
using namespace PatternMatch;

namespace {

/// The calls in a function that return the same id.
using Ids = SmallPtrSet<const Value *, 4>;

/// Whether an instruction computes a linear function of its operands.
bool isLinear(const Instruction &instruction) {
  const Instruction *value = &instruction;
  if (!instruction.getType()->isIntegerTy())
    return false;
  return match(value, m_Add(m_Value(), m_Value())) || match(value, m_Sub(m_Value(), m_Value())) ||
         match(value, m_DisjointOr(m_Value(), m_Value())) ||
         match(value, m_Mul(m_Value(), m_ConstantInt())) ||
         match(value, m_Shl(m_Value(), m_ConstantInt())) || match(value, m_Not(m_Value())) ||
         match(value, m_Trunc(m_Value()));
}

/// Rewrites the sums of one function in which one id occurs.
class Collection {
public:
  Collection(Function &function, const Ids &ids)
      : function(function), builder(function.getContext()), ids(ids) {}

  void run() {
    SmallVector<Instruction *> sums;
    for (Instruction &instruction : instructions(function))
      if (occurrencesIn(&instruction) > 1 && !isPartOfSum(instruction))
        sums.push_back(&instruction);
    // What is known of sums holds until the first is replaced.
    SmallVector<std::pair<Instruction *, Value *>> replacements;
    for (Instruction *sum : sums)
      replacements.push_back({sum, collected(*sum)});
    for (auto [sum, replacement] : replacements)
      sum->replaceAllUsesWith(replacement);
  }

private:
  Function &function;
  IRBuilder<> builder;
  const Ids &ids;
  DenseMap<const Value *, unsigned> occurrences;
  DenseMap<const Value *, APInt> factors;
  DenseMap<const Value *, Value *> rests;

  /// How often the id occurs in a sum; more than twice counts as twice.
  unsigned occurrencesIn(const Value *value) {
    if (ids.contains(value))
      return 1;
    if (auto known = occurrences.find(value); known != occurrences.end())
      return known->second;
    unsigned count = 0;
    const auto *instruction = dyn_cast<Instruction>(value);
    if (instruction && isLinear(*instruction))
      for (const Use &operand : instruction->operands())
        count = std::min(count + occurrencesIn(operand), 2u);
    return occurrences[value] = count;
  }

  /// Whether all that use a sum add to it.
  bool isPartOfSum(const Instruction &sum) {
    return all_of(sum.users(),
                  [&](const User *user) { return isLinear(*cast<Instruction>(user)); });
  }

  Value *collected(Instruction &sum) {
    builder.SetInsertPoint(&sum);
    APInt factor = factorIn(&sum);
    Value *rest = restOf(&sum);
    builder.SetInsertPoint(&sum);
    if (factor.isZero())
      return rest;
    Value *id = builder.CreateTrunc(idIn(&sum), sum.getType());
    Value *term = builder.CreateMul(id, ConstantInt::get(sum.getType(), factor));
    return builder.CreateAdd(term, rest);
  }

  /// A call that the sum depends on.
  Value *idIn(Value *sum) {
    while (!ids.contains(sum))
      sum = *find_if(cast<Instruction>(sum)->operands(),
                     [&](const Use &operand) { return occurrencesIn(operand); });
    return sum;
  }

  /// By what the id is multiplied in a sum.
  APInt factorIn(Value *sum) {
    unsigned width = sum->getType()->getIntegerBitWidth();
    if (ids.contains(sum))
      return APInt(width, 1);
    if (!occurrencesIn(sum))
      return APInt::getZero(width);
    if (auto known = factors.find(sum); known != factors.end())
      return known->second;
    APInt factor = computedFactor(sum, width);
    factors[sum] = factor;
    return factor;
  }

  APInt computedFactor(Value *sum, unsigned width) {
    Value *a, *b;
    ConstantInt *constant;
    if (match(sum, m_Trunc(m_Value(a))))
      return factorIn(a).trunc(width);
    if (match(sum, m_Not(m_Value(a))))
      return -factorIn(a);
    if (match(sum, m_Mul(m_Value(a), m_ConstantInt(constant))))
      return factorIn(a) * constant->getValue();
    if (match(sum, m_Shl(m_Value(a), m_ConstantInt(constant))))
      return factorIn(a).shl(constant->getValue());
    if (match(sum, m_Sub(m_Value(a), m_Value(b))))
      return factorIn(a) - factorIn(b);
    auto *addition = cast<Instruction>(sum);
    return factorIn(addition->getOperand(0)) + factorIn(addition->getOperand(1));
  }

  /// The sum without its terms with the id.
  Value *restOf(Value *sum) {
    if (ids.contains(sum))
      return ConstantInt::get(sum->getType(), 0);
    if (!occurrencesIn(sum))
      return sum;
    if (auto known = rests.find(sum); known != rests.end())
      return known->second;
    auto *old = cast<Instruction>(sum);
    SmallVector<Value *, 2> operands;
    for (Value *operand : old->operands())
      operands.push_back(restOf(operand));
    builder.SetInsertPoint(old);
    Value *rest = isa<TruncInst>(old)
                      ? builder.CreateTrunc(operands[0], old->getType())
                      : builder.CreateBinOp(operationOf(*old), operands[0], operands[1]);
    return rests[sum] = rest;
  }

  /// Without some terms, what is added may have bits in common.
  static Instruction::BinaryOps operationOf(const Instruction &sum) {
    return sum.getOpcode() == Instruction::Or ? Instruction::Add
                                              : cast<BinaryOperator>(sum).getOpcode();
  }
};

/// The ids that a function asks for: calls by what they call and with which argument.
std::map<std::pair<const Function *, const Value *>, Ids>
idsIn(const Function &function, const std::vector<std::string> &queries) {
  std::map<std::pair<const Function *, const Value *>, Ids> found;
  for (const Instruction &instruction : instructions(function)) {
    const auto *call = dyn_cast<CallInst>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (callee && call->arg_size() == 1 && isa<ConstantInt>(call->getArgOperand(0)) &&
        is_contained(queries, callee->getName()))
      found[{callee, call->getArgOperand(0)}].insert(call);
  }
  return found;
}

} // namespace

void collectIdTerms(ModuleHandle &module, const std::vector<std::string> &queries) {
  module.use(
      "collecting terms with ids",
      [&](llvm::Module &ir) {
        for (Function &function : ir) {
          if (function.isDeclaration())
            continue;
          // Only there can an instruction be its own operand.
          removeUnreachableBlocks(function);
          for (const auto &[query, ids] : idsIn(function, queries))
            Collection(function, ids).run();
        }
      },
      /*isDeep=*/true);
}

} // namespace dovetail
