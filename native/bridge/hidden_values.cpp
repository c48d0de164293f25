#include "hidden_values.h"

#include "hidden_zero.h"
#include "hiding_rules.h"
#include "module.h"
#include "number_sources.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

namespace dovetail {

using namespace llvm;

namespace {

using FunctionSet = SmallPtrSet<const Function *, 8>;

/// Marks functions whose values are hidden. Hiding them again would undo it.
constexpr char HiddenAttr[] = "dovetail-values-hidden";

/// Returns the functions that wait for other work-items, directly or through calls.
FunctionSet findWaiting(CallGraph &Graph, const std::vector<std::string> &Barriers) {
  FunctionSet Found;
  auto Waits = [&](const CallGraphNode *Node) {
    const Function *F = Node->getFunction();
    if (F && F->isDeclaration())
      return any_of(Barriers, [&](StringRef Barrier) { return F->getName().contains(Barrier); });
    return any_of(*Node, [&](const CallGraphNode::CallRecord &Call) {
      return Found.contains(Call.second->getFunction());
    });
  };
  // Callees precede their callers.
  for (auto SCC = scc_begin(&Graph); !SCC.isAtEnd(); ++SCC)
    if (any_of(*SCC, Waits))
      for (const CallGraphNode *Node : *SCC)
        if (const Function *F = Node->getFunction())
          Found.insert(F);
  return Found;
}

/// Returns the functions whose code may become part of a function that waits, because drivers
/// inline calls.
FunctionSet findPartsOfWaiting(Module &M, const std::vector<std::string> &Barriers) {
  CallGraph Graph(M);
  FunctionSet Callers = findWaiting(Graph, Barriers);
  for (const Function &F : M)
    if (!F.isDeclaration() && !F.hasLocalLinkage() &&
        F.getCallingConv() != CallingConv::SPIR_KERNEL)
      Callers.insert(&F);
  df_iterator_default_set<CallGraphNode *> Reachable;
  for (const Function *F : Callers)
    for (CallGraphNode *Node : depth_first_ext(Graph[F], Reachable))
      (void)Node; // only adds it to the set
  FunctionSet Found;
  for (const CallGraphNode *Node : Reachable)
    if (const Function *F = Node->getFunction())
      Found.insert(F);
  return Found;
}

/// What is hidden in a function besides what is hidden in all of them.
struct HidingScope {
  bool Negations;
  bool Complements;
};

bool needsHiding(Instruction &I, HidingScope Scope) {
  return isOperandHidden(I) || isExtremum(I, 64) || mayBeZeroByZero(I) || extendsWrapped(I) ||
         (Scope.Negations && isNegation(I)) || (Scope.Complements && complementingConstant(I));
}

/// Hides values in one function.
class Hiding {
public:
  Hiding(Function &F, StringRef Query) : F(F), Builder(F.getContext()), Query(Query) {}

  void run(HidingScope Scope) {
    if (Scope.Negations)
      hideSources();
    SmallVector<Instruction *> Affected;
    for (Instruction &I : instructions(F))
      if (needsHiding(I, Scope))
        Affected.push_back(&I);
    for (Instruction *I : Affected) {
      if (Scope.Negations && isNegation(*I))
        hideNegation(*I);
      else if (isExtremum(*I, 64))
        hideExtremum(*I);
      else if (Use *AllOnes = Scope.Complements ? complementingConstant(*I) : nullptr)
        hideAllOnes(*AllOnes);
      else if (extendsWrapped(*I))
        hideExtension(*I);
      else if (isOperandHidden(*I))
        hideOperand(*I);
      else
        hideResult(*I);
    }
  }

private:
  Function &F;
  IRBuilder<> Builder;
  StringRef Query;
  Instruction *Zero = nullptr;

  /// Odd numbers, which spread the unknown bits over all bits of a mask. Operands and results have
  /// different ones, because applying the same mask twice cancels it.
  static constexpr uint64_t OperandFactor = 0x9e3779b97f4a7c15, ResultFactor = 0xd1b54a32d192ed03;

  /// Hides the values that may be a factor of -1, for which drivers would negate the other factor.
  void hideSources() {
    SourceCollector Sources;
    for (Instruction &I : instructions(F))
      switch (I.getOpcode()) {
      case Instruction::FMul:
        Sources.add(I.getOperand(0));
        Sources.add(I.getOperand(1));
        break;
      case Instruction::FDiv:
        Sources.add(I.getOperand(1));
        break;
      case Instruction::FSub:
        Sources.add(I.getOperand(0));
        break;
      default:
        break;
      }
    for (Use *ConstantUse : Sources.Constants) {
      auto *UserInst = cast<Instruction>(ConstantUse->getUser());
      auto *Phi = dyn_cast<PHINode>(UserInst);
      setIncoming(*ConstantUse,
                  same(ConstantUse->get(),
                       Phi ? Phi->getIncomingBlock(*ConstantUse)->getTerminator() : UserInst));
    }
    for (Instruction *Result : Sources.Results)
      hideResult(*Result);
    for (Argument *Arg : Sources.Arguments) {
      SmallVector<Use *> Uses(make_pointer_range(Arg->uses()));
      Value *Hidden = same(Arg, afterZero(), ResultFactor);
      for (Use *U : Uses)
        U->set(Hidden);
    }
  }

  /// Sets an operand. In a phi, all edges from the same block must have the same value.
  static void setIncoming(Use &Op, Value *V) {
    auto *Phi = dyn_cast<PHINode>(Op.getUser());
    if (!Phi)
      return Op.set(V);
    Phi->setIncomingValueForBlock(Phi->getIncomingBlock(Op), V);
  }

  void hideNegation(Instruction &Negation) {
    if (Use *ConstantUse = negatingConstant(Negation)) {
      ConstantUse->set(same(ConstantUse->get(), &Negation));
      if (mayBeZeroByZero(Negation))
        hideResult(Negation);
      return;
    }
    Value *Negated = negated(negatedBy(Negation), &Negation);
    Negation.replaceAllUsesWith(Builder.CreateBitCast(Negated, Negation.getType()));
    Negation.eraseFromParent();
  }

  /// Hides the operand of a conversion, for example that it is negated or a boolean.
  void hideOperand(Instruction &Conversion) {
    Value *V = Conversion.getOperand(0);
    Type *Ty = V->getType();
    if (Ty->isIntOrIntVectorTy(1)) {
      Builder.SetInsertPoint(&Conversion);
      V = Builder.CreateIntCast(V, Ty->getWithNewType(Builder.getInt32Ty()),
                                isa<SIToFPInst>(Conversion));
    }
    Conversion.setOperand(0, same(V, &Conversion));
  }

  /// Extends a number with zeros and then its sign, by operations that drivers do not recognize as
  /// a linear function of the work-item ID.
  void hideExtension(Instruction &Extension) {
    Value *Number = Extension.getOperand(0);
    Type *Ty = Extension.getType();
    Builder.SetInsertPoint(&Extension);
    APInt Sign = APInt::getSignMask(Number->getType()->getScalarSizeInBits());
    Value *Low;
    if (isa<SExtInst>(Extension)) {
      Low = Builder.CreateZExt(Number, Ty);
      Sign = Sign.zext(Ty->getScalarSizeInBits());
    } else {
      const APInt *Count = nullptr;
      match(Extension.getOperand(1), PatternMatch::m_APInt(Count));
      Low = Builder.CreateLShr(Number, Extension.getOperand(1));
      Sign = Sign.lshr(*Count);
    }
    Constant *Bias = ConstantInt::get(Ty, Sign);
    Value *Biased = same(Builder.CreateXor(Low, Bias), &Extension);
    Extension.replaceAllUsesWith(Builder.CreateSub(Biased, Bias));
    Extension.eraseFromParent();
  }

  /// Selects between two numbers, one of which is hidden, so that drivers find no minimum or
  /// maximum of the numbers that are compared.
  void hideExtremum(Instruction &I) {
    if (auto *MinMax = dyn_cast<MinMaxIntrinsic>(&I)) {
      Builder.SetInsertPoint(&I);
      Value *Left = MinMax->getLHS(), *Right = MinMax->getRHS();
      Value *IsLeft = Builder.CreateICmp(MinMax->getPredicate(), Left, Right);
      I.replaceAllUsesWith(Builder.CreateSelect(IsLeft, same(Left, &I), Right));
      I.eraseFromParent();
      return;
    }
    // The last two operands of a selection, both of a phi.
    Use *Op = I.op_end() - 1;
    if (isa<Constant>(Op))
      --Op;
    auto *Phi = dyn_cast<PHINode>(&I);
    setIncoming(*Op, same(*Op, Phi ? Phi->getIncomingBlock(*Op)->getTerminator() : &I));
  }

  /// Hides that all bits of a constant are set. Drivers do not recognize a mask minus one as the
  /// complement of the mask.
  void hideAllOnes(Use &AllOnes) {
    Value *Mask = maskOf(AllOnes->getType(), OperandFactor);
    AllOnes.set(Builder.CreateAdd(Mask, AllOnes.get()));
  }

  /// Hides the result of an instruction from its users.
  void hideResult(Instruction &I) {
    SmallVector<Use *> Uses(make_pointer_range(I.uses()));
    Value *Hidden = same(&I, I.getNextNode(), ResultFactor);
    for (Use *U : Uses)
      U->set(Hidden);
  }

  /// Returns the value before an instruction, with all bits hidden.
  Value *same(Value *V, Instruction *InsertBefore, uint64_t Factor = OperandFactor) {
    return flipped(V, maskOf(bitsOf(V->getType()), Factor), InsertBefore);
  }

  /// Returns the negated value before an instruction, with all bits hidden.
  Value *negated(Value *V, Instruction *InsertBefore) {
    Type *BitsTy = bitsOf(V->getType());
    Value *Mask = maskOf(BitsTy, OperandFactor);
    APInt Sign = APInt::getSignMask(BitsTy->getScalarSizeInBits());
    return flipped(V, Builder.CreateOr(Mask, ConstantInt::get(BitsTy, Sign)), InsertBefore);
  }

  /// Returns a zero that is not known to be one, as an integer or vector.
  Value *maskOf(Type *BitsTy, uint64_t Factor) {
    Builder.SetInsertPoint(afterZero());
    Value *Mask = Builder.CreateMul(Zero, Builder.getInt64(Factor));
    return splat(Builder.CreateTrunc(Mask, BitsTy->getScalarType()), BitsTy);
  }

  Value *flipped(Value *V, Value *Mask, Instruction *InsertBefore) {
    Builder.SetInsertPoint(InsertBefore);
    Value *Bits = Builder.CreateXor(Builder.CreateBitCast(V, Mask->getType()), Mask);
    return Builder.CreateBitCast(Bits, V->getType());
  }

  Type *bitsOf(Type *Ty) {
    return Ty->getWithNewType(Builder.getIntNTy(Ty->getScalarSizeInBits()));
  }

  Value *splat(Value *Element, Type *Ty) {
    auto *Vector = dyn_cast<FixedVectorType>(Ty);
    return Vector ? Builder.CreateVectorSplat(Vector->getNumElements(), Element) : Element;
  }

  /// Returns the instruction after the definition of the hidden zero.
  Instruction *afterZero() {
    if (!Zero)
      Zero = createHiddenZero(F, Query);
    return Zero->getNextNode();
  }
};

} // namespace

void hideValues(ModuleHandle &Handle, const std::vector<std::string> &Barriers,
                const std::string &Query) {
  Handle.use("hiding values", [&](Module &M) {
    FunctionSet Parts = findPartsOfWaiting(M, Barriers);
    // Drivers inline calls, so the numbers may be compared in one function and complemented in
    // another one.
    bool HasExtrema = any_of(M, [](Function &F) {
      return any_of(instructions(F), [](Instruction &I) { return isExtremum(I, 32); });
    });
    SmallVector<Function *> Defined;
    for (Function &F : M)
      if (!F.isDeclaration() && !F.hasFnAttribute(HiddenAttr))
        Defined.push_back(&F);
    for (Function *F : Defined) {
      Hiding(*F, Query).run({Parts.contains(F), HasExtrema});
      F->addFnAttr(HiddenAttr);
    }
  });
}

} // namespace dovetail
