#include "hidden_values.h"

#include "hidden_zero.h"
#include "module.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

namespace dovetail {

using namespace llvm;

namespace {

using FunctionSet = SmallPtrSet<const Function *, 8>;

/// Marks functions whose values are hidden. Hiding them again would undo it.
constexpr char HiddenAttr[] = "dovetail-values-hidden";

const Function *calledBy(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call ? Call->getCalledFunction() : nullptr;
}

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

/// Returns the constant operand by which an instruction changes the sign of its other operand or of
/// some of its elements, or null for other instructions.
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

/// Returns the number whose sign bit an instruction changes, or null for other instructions.
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

/// Whether an instruction is a quotient that may be zero divided by zero and must then be correct.
bool mayBeZeroByZero(const Instruction &I) {
  using namespace PatternMatch;
  return match(&I, m_FDiv(m_Value(), m_Value())) && !I.hasNoNaNs() &&
         !match(I.getOperand(0), m_NonZeroFP());
}

/// Whether the operand of an instruction must be hidden, in any function.
bool isOperandHidden(const Instruction &I) {
  return isa<SIToFPInst, UIToFPInst>(I) ||
         (isa<FPTruncInst>(I) && I.getType()->getScalarType()->isHalfTy());
}

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

/// Whether an instruction extends the sign of a number that may have wrapped.
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

/// Whether an instruction computes a minimum or a maximum of integers of a width.
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

/// Returns the constant by which an instruction complements a 32-bit integer, or null.
Use *complementingConstant(Instruction &I) {
  using namespace PatternMatch;
  if (!I.getType()->getScalarType()->isIntegerTy(32))
    return nullptr;
  if (match(&I, m_Xor(m_Value(), m_AllOnes())))
    return &I.getOperandUse(1);
  return match(&I, m_Sub(m_AllOnes(), m_Value())) ? &I.getOperandUse(0) : nullptr;
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

/// Whether a driver may know the contents of memory: local variables and constants.
bool isKnownMemory(const Value *Pointer) {
  SmallVector<const Value *> Objects;
  getUnderlyingObjects(Pointer, Objects);
  return any_of(Objects, [](const Value *Object) {
    if (const auto *Variable = dyn_cast<GlobalVariable>(Object))
      return Variable->isConstant();
    return isa<AllocaInst>(Object) ||
           (isa<Argument>(Object) &&
            cast<Argument>(Object)->getParent()->getCallingConv() != CallingConv::SPIR_KERNEL);
  });
}

/// Collects the values from which a driver that unrolls loops, splits variables and inlines calls
/// may derive floating-point numbers.
class SourceCollector {
public:
  SetVector<Use *> Constants;
  SetVector<Instruction *> Results;
  SetVector<Argument *> Arguments;

  /// Adds the sources of a number, which is not a constant itself.
  void add(Value *Number) {
    SmallVector<Value *> Worklist{Number};
    while (!Worklist.empty()) {
      Value *V = Worklist.pop_back_val();
      if (!Visited.insert(V).second)
        continue;
      if (auto *Arg = dyn_cast<Argument>(V)) {
        if (Arg->getParent()->getCallingConv() != CallingConv::SPIR_KERNEL)
          Arguments.insert(Arg);
      } else if (auto *I = dyn_cast<Instruction>(V)) {
        addFrom(*I, Worklist);
      }
    }
  }

private:
  SmallPtrSet<Value *, 16> Visited;

  void addFrom(Instruction &I, SmallVectorImpl<Value *> &Worklist) {
    switch (I.getOpcode()) {
    case Instruction::Load:
      if (isKnownMemory(cast<LoadInst>(I).getPointerOperand()))
        Results.insert(&I);
      return;
    case Instruction::Call:
      if (const Function *Callee = calledBy(I); Callee && !Callee->isDeclaration())
        Results.insert(&I);
      else
        copy_if(I.operands(), std::back_inserter(Worklist),
                [](const Value *Op) { return Op->getType()->isFPOrFPVectorTy(); });
      return;
    case Instruction::PHI:
    case Instruction::Select:
    case Instruction::InsertElement:
    case Instruction::ShuffleVector:
      for (Use &Op : I.operands())
        if (!isa<Constant>(Op))
          Worklist.push_back(Op);
        else if (Op->getType()->isFPOrFPVectorTy() && !isa<UndefValue>(Op))
          Constants.insert(&Op);
      return;
    case Instruction::FAdd:
    case Instruction::FSub:
    case Instruction::FMul:
    case Instruction::FDiv:
      // The result is known only if both operands are.
      Worklist.push_back(I.getOperand(isa<Constant>(I.getOperand(0)) ? 1 : 0));
      return;
    case Instruction::FNeg:
    case Instruction::FPExt:
    case Instruction::FPTrunc:
    case Instruction::BitCast:
    case Instruction::ExtractElement:
      Worklist.push_back(I.getOperand(0));
      return;
    default:
      return;
    }
  }
};

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

  /// Extends a number with zeros and then its sign, by operations that drivers do not recognise as
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

  /// Hides that all bits of a constant are set. Drivers do not recognise a mask minus one as the
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
