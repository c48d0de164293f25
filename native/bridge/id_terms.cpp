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

/// The calls in a function that return the same ID.
using IdCalls = SmallPtrSet<const Value *, 4>;

/// Whether an instruction computes a linear function of its operands.
bool isLinear(const Instruction &I) {
  const Instruction *V = &I;
  if (!I.getType()->isIntegerTy())
    return false;
  return match(V, m_Add(m_Value(), m_Value())) || match(V, m_Sub(m_Value(), m_Value())) ||
         match(V, m_DisjointOr(m_Value(), m_Value())) ||
         match(V, m_Mul(m_Value(), m_ConstantInt())) ||
         match(V, m_Shl(m_Value(), m_ConstantInt())) || match(V, m_Not(m_Value())) ||
         match(V, m_Trunc(m_Value()));
}

/// Rewrites the sums of one function in which one ID occurs.
class TermCollector {
public:
  TermCollector(Function &F, const IdCalls &IDs) : F(F), Builder(F.getContext()), IDs(IDs) {}

  void run() {
    SmallVector<Instruction *> Sums;
    for (Instruction &I : instructions(F))
      if (occurrencesIn(&I) > 1 && !isPartOfSum(I))
        Sums.push_back(&I);
    // The cached facts about sums are valid until the first sum is replaced.
    SmallVector<std::pair<Instruction *, Value *>> Replacements;
    for (Instruction *Sum : Sums)
      Replacements.push_back({Sum, collected(*Sum)});
    for (auto [Sum, Replacement] : Replacements)
      Sum->replaceAllUsesWith(Replacement);
  }

private:
  Function &F;
  IRBuilder<> Builder;
  const IdCalls &IDs;
  DenseMap<const Value *, unsigned> Occurrences;
  DenseMap<const Value *, APInt> Factors;
  DenseMap<const Value *, Value *> Rests;

  /// Returns how often the ID occurs in a sum, at most 2.
  unsigned occurrencesIn(const Value *V) {
    if (IDs.contains(V))
      return 1;
    if (auto Known = Occurrences.find(V); Known != Occurrences.end())
      return Known->second;
    unsigned Count = 0;
    const auto *I = dyn_cast<Instruction>(V);
    if (I && isLinear(*I))
      for (const Use &Op : I->operands())
        Count = std::min(Count + occurrencesIn(Op), 2u);
    return Occurrences[V] = Count;
  }

  /// Whether all users of a sum are sums.
  bool isPartOfSum(const Instruction &Sum) {
    return all_of(Sum.users(), [&](const User *U) { return isLinear(*cast<Instruction>(U)); });
  }

  Value *collected(Instruction &Sum) {
    Builder.SetInsertPoint(&Sum);
    APInt Factor = factorIn(&Sum);
    Value *Rest = restOf(&Sum);
    Builder.SetInsertPoint(&Sum);
    if (Factor.isZero())
      return Rest;
    Value *ID = Builder.CreateTrunc(idIn(&Sum), Sum.getType());
    Value *Term = Builder.CreateMul(ID, ConstantInt::get(Sum.getType(), Factor));
    return Builder.CreateAdd(Term, Rest);
  }

  /// Returns a call that the sum depends on.
  Value *idIn(Value *Sum) {
    while (!IDs.contains(Sum))
      Sum = *find_if(cast<Instruction>(Sum)->operands(),
                     [&](const Use &Op) { return occurrencesIn(Op); });
    return Sum;
  }

  /// Returns the factor of the ID in a sum.
  APInt factorIn(Value *Sum) {
    unsigned Width = Sum->getType()->getIntegerBitWidth();
    if (IDs.contains(Sum))
      return APInt(Width, 1);
    if (!occurrencesIn(Sum))
      return APInt::getZero(Width);
    if (auto Known = Factors.find(Sum); Known != Factors.end())
      return Known->second;
    APInt Factor = computedFactor(Sum, Width);
    Factors[Sum] = Factor;
    return Factor;
  }

  APInt computedFactor(Value *Sum, unsigned Width) {
    Value *A, *B;
    ConstantInt *C;
    if (match(Sum, m_Trunc(m_Value(A))))
      return factorIn(A).trunc(Width);
    if (match(Sum, m_Not(m_Value(A))))
      return -factorIn(A);
    if (match(Sum, m_Mul(m_Value(A), m_ConstantInt(C))))
      return factorIn(A) * C->getValue();
    if (match(Sum, m_Shl(m_Value(A), m_ConstantInt(C))))
      return factorIn(A).shl(C->getValue());
    if (match(Sum, m_Sub(m_Value(A), m_Value(B))))
      return factorIn(A) - factorIn(B);
    auto *Addition = cast<Instruction>(Sum);
    return factorIn(Addition->getOperand(0)) + factorIn(Addition->getOperand(1));
  }

  /// Returns the sum without its terms with the ID.
  Value *restOf(Value *Sum) {
    if (IDs.contains(Sum))
      return ConstantInt::get(Sum->getType(), 0);
    if (!occurrencesIn(Sum))
      return Sum;
    if (auto Known = Rests.find(Sum); Known != Rests.end())
      return Known->second;
    auto *Old = cast<Instruction>(Sum);
    SmallVector<Value *, 2> Operands;
    for (Value *Op : Old->operands())
      Operands.push_back(restOf(Op));
    Builder.SetInsertPoint(Old);
    Value *Rest = isa<TruncInst>(Old)
                      ? Builder.CreateTrunc(Operands[0], Old->getType())
                      : Builder.CreateBinOp(operationOf(*Old), Operands[0], Operands[1]);
    return Rests[Sum] = Rest;
  }

  /// The operands of a disjoint or may have common bits when terms are removed.
  static Instruction::BinaryOps operationOf(const Instruction &Sum) {
    return Sum.getOpcode() == Instruction::Or ? Instruction::Add
                                              : cast<BinaryOperator>(Sum).getOpcode();
  }
};

/// Returns the calls of `Queries` in a function, by callee and argument.
std::map<std::pair<const Function *, const Value *>, IdCalls>
idsIn(const Function &F, const std::vector<std::string> &Queries) {
  std::map<std::pair<const Function *, const Value *>, IdCalls> Found;
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (Callee && Call->arg_size() == 1 && isa<ConstantInt>(Call->getArgOperand(0)) &&
        is_contained(Queries, Callee->getName()))
      Found[{Callee, Call->getArgOperand(0)}].insert(Call);
  }
  return Found;
}

} // namespace

void collectIdTerms(ModuleHandle &Handle, const std::vector<std::string> &Queries) {
  Handle.use(
      "collecting terms with IDs",
      [&](Module &M) {
        for (Function &F : M) {
          if (F.isDeclaration())
            continue;
          // In unreachable code, an instruction can be its own operand.
          removeUnreachableBlocks(F);
          for (const auto &[Query, IDs] : idsIn(F, Queries))
            TermCollector(F, IDs).run();
        }
      },
      /*IsDeep=*/true);
}

} // namespace dovetail
