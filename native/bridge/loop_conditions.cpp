#include "loop_conditions.h"

#include "hidden_zero.h"
#include "module.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

namespace dovetail {

using namespace llvm;

namespace {

/// Marks functions whose conditions are hidden.
constexpr char HiddenAttr[] = "dovetail-conditions-hidden";

/// Which values may differ between the work-items of a work-group.
class Divergence {
public:
  explicit Divergence(ArrayRef<std::string> UniformQueries) : UniformQueries(UniformQueries) {}

  bool mayDiffer(const Value *V) {
    if (isa<Constant>(V))
      return false;
    if (const auto *Arg = dyn_cast<Argument>(V))
      return Arg->getParent()->getCallingConv() != CallingConv::SPIR_KERNEL;
    const auto *I = dyn_cast<Instruction>(V);
    if (!I)
      return true;
    if (auto Known = Results.find(I); Known != Results.end())
      return Known->second;
    bool Differs = resultMayDiffer(*I);
    Results[I] = Differs;
    return Differs;
  }

private:
  ArrayRef<std::string> UniformQueries;
  DenseMap<const Instruction *, bool> Results;

  bool resultMayDiffer(const Instruction &I) {
    // The value of a phi also depends on branches.
    if (isa<PHINode, AllocaInst>(I) || I.isAtomic())
      return true;
    if (const auto *Call = dyn_cast<CallBase>(&I); Call && !isa<IntrinsicInst>(I)) {
      const Function *Callee = Call->getCalledFunction();
      return !Callee || none_of(UniformQueries,
                                [&](StringRef Name) { return Callee->getName().contains(Name); });
    }
    return any_of(I.operand_values(), [&](const Value *Op) { return mayDiffer(Op); });
  }
};

/// Whether a value is the same in all iterations of a loop, or an optimizer may find that it is.
bool isInvariant(const Value *V, const Loop &L, unsigned Depth = 0) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return true;
  if (Depth == 8 || isa<PHINode>(I) || I->mayHaveSideEffects() || I->isAtomic())
    return false;
  return all_of(I->operand_values(),
                [&](const Value *Op) { return isInvariant(Op, L, Depth + 1); });
}

/// Whether control flow within the iterations of a loop depends on something other than `User`.
bool hasOtherBranch(const Loop &L, const Instruction &User) {
  return any_of(L.blocks(), [&](const BasicBlock *BB) {
    const Instruction *Terminator = BB->getTerminator();
    return (Terminator != &User && Terminator->getNumSuccessors() > 1 &&
            all_of(successors(BB), [&](const BasicBlock *Next) { return L.contains(Next); })) ||
           any_of(*BB, [](const Instruction &I) {
             const auto *Call = dyn_cast<CallBase>(&I);
             return Call && Call->getCalledFunction() &&
                    !Call->getCalledFunction()->isDeclaration();
           });
  });
}

/// Returns the operands of an instruction that are conditions, or parts of a condition.
SmallVector<Use *, 2> conditionsOf(Instruction &I) {
  if (auto *Branch = dyn_cast<BranchInst>(&I)) {
    if (Branch->isConditional())
      return {&Branch->getOperandUse(0)};
    return {};
  }
  if (isa<SwitchInst>(I))
    return {&I.getOperandUse(0)};
  bool IsCondition = I.getType()->isIntegerTy(1);
  SmallVector<Use *, 2> Found;
  if (isa<SelectInst>(I) || (IsCondition && isa<BinaryOperator>(I)))
    for (Use &Op : I.operands())
      if (Op->getType()->isIntegerTy(1))
        Found.push_back(&Op);
  return Found;
}

/// Returns an integer that changes in each iteration of a loop, or null.
Value *findCounter(const Loop &L, IRBuilder<> &Builder) {
  for (PHINode &Phi : L.getHeader()->phis())
    if (Phi.getType()->isIntegerTy())
      return &Phi;
  for (PHINode &Phi : L.getHeader()->phis())
    if (Phi.getType()->isPointerTy())
      return Builder.CreatePtrToInt(&Phi, Builder.getInt64Ty());
  return nullptr;
}

/// Hides conditions in one function.
class ConditionHiding {
public:
  ConditionHiding(Function &F, ArrayRef<std::string> UniformQueries, StringRef Query)
      : F(F), Differing(UniformQueries), Query(Query), Tree(F), Loops(Tree) {}

  void run() {
    SmallVector<std::pair<Use *, const Loop *>> Found;
    for (BasicBlock &BB : F)
      if (const Loop *L = Loops.getLoopFor(&BB))
        for (Instruction &I : BB)
          for (Use *Condition : conditionsOf(I))
            if (mustHide(*Condition, *L))
              Found.push_back({Condition, L});
    for (auto [Condition, L] : Found)
      hide(*Condition, *L);
  }

private:
  Function &F;
  Divergence Differing;
  StringRef Query;
  DominatorTree Tree;
  LoopInfo Loops;
  Instruction *Zero = nullptr;

  bool mustHide(const Use &Condition, const Loop &L) {
    return Differing.mayDiffer(Condition) && isInvariant(Condition, L) &&
           hasOtherBranch(L, *cast<Instruction>(Condition.getUser()));
  }

  void hide(Use &Condition, const Loop &L) {
    IRBuilder<> Builder(cast<Instruction>(Condition.getUser()));
    Value *Counter = findCounter(L, Builder);
    if (!Counter)
      return;
    if (!Zero)
      Zero = createHiddenZero(F, Query);
    Type *Ty = Builder.getInt32Ty();
    Value *Unchanged =
        Builder.CreateAnd(Builder.CreateZExtOrTrunc(Counter, Ty), Builder.CreateTrunc(Zero, Ty));
    if (Condition->getType()->isIntegerTy(1))
      Condition.set(Builder.CreateICmpNE(Builder.CreateZExt(Condition, Ty), Unchanged));
    else
      Condition.set(
          Builder.CreateXor(Condition, Builder.CreateZExtOrTrunc(Unchanged, Condition->getType())));
  }
};

} // namespace

void hideLoopConditions(ModuleHandle &Handle, const std::vector<std::string> &UniformQueries,
                        const std::string &Query) {
  Handle.use("hiding conditions", [&](Module &M) {
    SmallVector<Function *> Defined;
    for (Function &F : M)
      if (!F.isDeclaration() && !F.hasFnAttribute(HiddenAttr))
        Defined.push_back(&F);
    for (Function *F : Defined) {
      ConditionHiding(*F, UniformQueries, Query).run();
      F->addFnAttr(HiddenAttr);
    }
  });
}

} // namespace dovetail
