#include "wide_integers.h"

#include "module.h"
#include "rewriting.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/Local.h"

namespace dovetail {

using namespace llvm;

namespace {

constexpr unsigned LimbBits = 64;

unsigned widthOf(const Type *Ty) { return Ty->getScalarSizeInBits(); }

/// Whether a type is an integer, or a vector of integers, of more than 64 bits.
bool isWide(const Type *Ty) { return Ty->getScalarType()->isIntegerTy() && widthOf(Ty) > LimbBits; }

/// Whether a type contains such integers.
bool hasWide(Type *Ty) { return isWide(Ty) || any_of(Ty->subtypes(), hasWide); }

/// Converts variables with such integers to bytes, and address computations to byte offsets.
void useBytes(Function &F) {
  const DataLayout &DL = F.getDataLayout();
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    IRBuilder<> Builder(&I);
    if (auto *Variable = dyn_cast<AllocaInst>(&I)) {
      Type *Ty = Variable->getAllocatedType();
      if (hasWide(Ty))
        Variable->setAllocatedType(
            ArrayType::get(Builder.getInt8Ty(), DL.getTypeAllocSize(Ty).getFixedValue()));
    } else if (auto *GEP = dyn_cast<GetElementPtrInst>(&I);
               GEP && hasWide(GEP->getSourceElementType())) {
      Value *Offset = emitGEPOffset(&Builder, DL, GEP);
      GEP->replaceAllUsesWith(Builder.CreateGEP(Builder.getInt8Ty(), GEP->getPointerOperand(),
                                                Offset, "", GEP->getNoWrapFlags()));
      GEP->eraseFromParent();
    }
  }
}

bool needsSplitting(const Instruction &I) {
  return isWide(I.getType()) ||
         any_of(I.operands(), [](const Use &U) { return isWide(U->getType()); });
}

unsigned lengthOf(const Type *Ty) {
  const auto *Vector = dyn_cast<FixedVectorType>(Ty);
  return Vector ? Vector->getNumElements() : 1;
}

/// Whether an operand is of a supported type, or a wide value that can be split.
bool canSplitOperand(const Value *V) {
  return !isWide(V->getType()) || isa<Instruction>(V) ||
         (isa<Constant>(V) && !isa<ConstantExpr>(V));
}

/// Whether a type consists of integers or of numbers of at most 64 bits.
bool hasSplittableBits(const Type *Ty) {
  const Type *ScalarTy = Ty->getScalarType();
  return ScalarTy->isIntegerTy() || (ScalarTy->isFloatingPointTy() && widthOf(Ty) <= LimbBits);
}

bool isConstantIndex(const Value *Index, const Value *Vector) {
  const auto *C = dyn_cast<ConstantInt>(Index);
  return C && C->getValue().ult(lengthOf(Vector->getType()));
}

bool canSplitOperation(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::PHI:
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Freeze:
  case Instruction::ShuffleVector:
    return true;
  case Instruction::BitCast:
    return hasSplittableBits(I.getOperand(0)->getType()) && hasSplittableBits(I.getType());
  case Instruction::Select:
    return !I.getOperand(0)->getType()->isVectorTy();
  case Instruction::ICmp:
    return !I.getType()->isVectorTy();
  case Instruction::ExtractElement:
    return isConstantIndex(I.getOperand(1), I.getOperand(0));
  case Instruction::InsertElement:
    return isConstantIndex(I.getOperand(2), I.getOperand(0));
  case Instruction::Load:
  case Instruction::Store: {
    // In vectors, elements that are not whole bytes are stored without padding.
    const Type *Ty = getLoadStoreType(&I);
    return !Ty->isVectorTy() || widthOf(Ty) % 8 == 0;
  }
  default:
    return false;
  }
}

/// Returns an error if a function cannot be split.
Error checkSplittable(const Function &F) {
  for (const Instruction &I : instructions(F)) {
    if (!needsSplitting(I) || (canSplitOperation(I) && all_of(I.operands(), canSplitOperand)))
      continue;
    std::string Text;
    raw_string_ostream OS(Text);
    I.print(OS);
    return createStringError("'" + F.getName() + "' computes with integers of more than 64 bits, " +
                             "which devices do not have: " + StringRef(Text).trim());
  }
  return Error::success();
}

/// The 64-bit parts of an integer, the lowest first. Bits that it does not have are zero.
using LimbVector = SmallVector<Value *, 4>;
/// The elements of a vector. A scalar has one.
using ElementVector = SmallVector<LimbVector, 1>;

/// Splits the integers of one function, for which checkSplittable() returned success.
class Splitting {
public:
  explicit Splitting(Function &F)
      : F(F), Builder(F.getContext(), InstSimplifyFolder(F.getDataLayout())) {}

  void run() {
    for (BasicBlock *BB : ReversePostOrderTraversal<Function *>(&F))
      for (Instruction &I : make_early_inc_range(*BB))
        if (needsSplitting(I))
          rewrite(I);
    for (PHINode *Old : Phis)
      complete(*Old);
    for (Instruction *Old : Replaced)
      Old->dropAllReferences();
    for (Instruction *Old : Replaced)
      Old->eraseFromParent();
  }

private:
  Function &F;
  IRBuilder<InstSimplifyFolder> Builder;
  DenseMap<Value *, ElementVector> Split;
  SmallVector<PHINode *> Phis;
  SmallVector<Instruction *> Replaced;

  Value *limb(uint64_t Val) { return Builder.getInt64(Val); }

  ElementVector elementsOf(Value *V) {
    if (auto Found = Split.find(V); Found != Split.end())
      return Found->second;
    auto *C = cast<Constant>(V);
    ElementVector Elements;
    for (unsigned Idx = 0; Idx < lengthOf(V->getType()); ++Idx)
      Elements.push_back(limbsOf(V->getType()->isVectorTy() ? C->getAggregateElement(Idx) : C));
    return Elements;
  }

  LimbVector limbsOf(Constant *C) {
    LimbVector Limbs;
    unsigned Width = widthOf(C->getType());
    // Undefined values may be zero.
    const auto *Integer = dyn_cast<ConstantInt>(C);
    APInt Val = Integer ? Integer->getValue() : APInt::getZero(Width);
    for (unsigned Bit = 0; Bit < Width; Bit += LimbBits)
      Limbs.push_back(limb(Val.extractBitsAsZExtValue(std::min(LimbBits, Width - Bit), Bit)));
    return Limbs;
  }

  LimbVector limbsOf(Value *V) { return elementsOf(V).front(); }

  /// Returns as many limbs as a width needs, without bits beyond the width.
  LimbVector fitted(LimbVector Limbs, unsigned Width) {
    Limbs.resize(divideCeil(Width, LimbBits), limb(0));
    if (unsigned Rest = Width % LimbBits)
      Limbs.back() = Builder.CreateAnd(Limbs.back(), maskTrailingOnes<uint64_t>(Rest));
    return Limbs;
  }

  /// Returns the limbs of an integer of width `From`, sign-extended to `To`.
  LimbVector signExtended(LimbVector Limbs, unsigned From, unsigned To) {
    if (unsigned Unused = Limbs.size() * LimbBits - From)
      Limbs.back() = Builder.CreateAShr(Builder.CreateShl(Limbs.back(), Unused), Unused);
    Value *Sign = Builder.CreateAShr(Limbs.back(), LimbBits - 1);
    Limbs.resize(divideCeil(To, LimbBits), Sign);
    return fitted(Limbs, To);
  }

  /// Returns the bits of an element of at most 64 bits as a limb.
  Value *limbOf(Value *Element) {
    Type *Ty = Element->getType();
    Value *Bits = Builder.CreateBitCast(Element, Builder.getIntNTy(widthOf(Ty)));
    return Builder.CreateZExt(Bits, Builder.getInt64Ty());
  }

  Value *fromLimb(Value *V, Type *Ty) {
    return Builder.CreateBitCast(Builder.CreateTrunc(V, Builder.getIntNTy(widthOf(Ty))), Ty);
  }

  /// Returns the elements of a value, which need not be wide.
  ElementVector anyElementsOf(Value *V) {
    if (isWide(V->getType()))
      return elementsOf(V);
    ElementVector Elements;
    if (!V->getType()->isVectorTy())
      return {{limbOf(V)}};
    for (unsigned Idx = 0; Idx < lengthOf(V->getType()); ++Idx)
      Elements.push_back({limbOf(Builder.CreateExtractElement(V, Idx))});
    return Elements;
  }

  /// Returns a value of a type that is not wide, from its elements.
  Value *assembled(const ElementVector &Elements, Type *Ty) {
    if (!Ty->isVectorTy())
      return fromLimb(Elements.front().front(), Ty);
    Value *Vector = PoisonValue::get(Ty);
    for (auto [Idx, Element] : enumerate(Elements))
      Vector =
          Builder.CreateInsertElement(Vector, fromLimb(Element.front(), Ty->getScalarType()), Idx);
    return Vector;
  }

  /// Records the elements of an instruction or, if it is not wide, replaces it.
  void replaceBy(Instruction &Old, const ElementVector &Elements) {
    if (isWide(Old.getType()))
      Split[&Old] = Elements;
    else
      Old.replaceAllUsesWith(assembled(Elements, Old.getType()));
  }

  template <typename Callable>
  ElementVector forEachElement(const ElementVector &Elements, Callable Fn) {
    ElementVector Result;
    for (const LimbVector &Limbs : Elements)
      Result.push_back(Fn(Limbs));
    return Result;
  }

  void rewrite(Instruction &Old) {
    Builder.SetInsertPoint(&Old);
    Replaced.push_back(&Old);
    if (auto *BinOp = dyn_cast<BinaryOperator>(&Old))
      return arithmetic(*BinOp);
    switch (Old.getOpcode()) {
    case Instruction::PHI:
      return phi(cast<PHINode>(Old));
    case Instruction::Trunc:
    case Instruction::ZExt:
    case Instruction::SExt:
      return resize(cast<CastInst>(Old));
    case Instruction::BitCast:
      return reinterpret(cast<BitCastInst>(Old));
    case Instruction::Freeze:
      return replaceBy(Old, forEachElement(elementsOf(Old.getOperand(0)), [&](LimbVector Limbs) {
                         for (Value *&Limb : Limbs)
                           Limb = Builder.CreateFreeze(Limb);
                         return fitted(Limbs, widthOf(Old.getType()));
                       }));
    case Instruction::Select:
      return select(cast<SelectInst>(Old));
    case Instruction::ICmp:
      return compare(cast<ICmpInst>(Old));
    case Instruction::ExtractElement:
    case Instruction::InsertElement:
    case Instruction::ShuffleVector:
      return rearrange(Old);
    case Instruction::Load:
      return load(cast<LoadInst>(Old));
    case Instruction::Store:
      return store(cast<StoreInst>(Old));
    default:
      llvm_unreachable("checkSplittable() accepts no other operations");
    }
  }

  void phi(PHINode &Old) {
    ElementVector Elements;
    for (unsigned Idx = 0; Idx < lengthOf(Old.getType()); ++Idx) {
      LimbVector Limbs;
      for (unsigned Bit = 0; Bit < widthOf(Old.getType()); Bit += LimbBits)
        Limbs.push_back(Builder.CreatePHI(Builder.getInt64Ty(), Old.getNumIncomingValues()));
      Elements.push_back(Limbs);
    }
    Phis.push_back(&Old);
    Split[&Old] = Elements;
  }

  void complete(PHINode &Old) {
    ElementVector Result = elementsOf(&Old);
    for (unsigned Idx = 0; Idx < Old.getNumIncomingValues(); ++Idx) {
      ElementVector Incoming = elementsOf(Old.getIncomingValue(Idx));
      for (auto [Phis, Values] : zip_equal(Result, Incoming))
        for (auto [Limb, V] : zip_equal(Phis, Values))
          cast<PHINode>(Limb)->addIncoming(V, Old.getIncomingBlock(Idx));
    }
  }

  void resize(CastInst &Old) {
    unsigned From = widthOf(Old.getSrcTy()), To = widthOf(Old.getDestTy());
    bool IsSigned = Old.getOpcode() == Instruction::SExt;
    replaceBy(Old, forEachElement(anyElementsOf(Old.getOperand(0)), [&](const LimbVector &Limbs) {
                return IsSigned ? signExtended(Limbs, From, To) : fitted(Limbs, To);
              }));
  }

  /// Concatenates the bits of all elements, then splits them into the elements of the result.
  void reinterpret(BitCastInst &Old) {
    Type *FromTy = Old.getSrcTy(), *ToTy = Old.getDestTy();
    unsigned Total = lengthOf(FromTy) * widthOf(FromTy);
    LimbVector Bits(divideCeil(Total, LimbBits), limb(0));
    for (auto [Idx, Element] : enumerate(anyElementsOf(Old.getOperand(0))))
      Bits =
          bitwise(Instruction::Or, Bits, shiftedLeft(Element, Idx * widthOf(FromTy), Bits.size()));
    ElementVector Elements;
    for (unsigned Idx = 0; Idx < lengthOf(ToTy); ++Idx)
      Elements.push_back(fitted(shiftedRight(Bits, Idx * widthOf(ToTy), limb(0)), widthOf(ToTy)));
    replaceBy(Old, Elements);
  }

  LimbVector bitwise(Instruction::BinaryOps Opcode, const LimbVector &Left,
                     const LimbVector &Right) {
    LimbVector Result;
    for (auto [A, B] : zip_equal(Left, Right))
      Result.push_back(Builder.CreateBinOp(Opcode, A, B));
    return Result;
  }

  /// Returns `Count` limbs of the value, shifted by a constant.
  LimbVector shiftedLeft(const LimbVector &Limbs, unsigned Amount, size_t Count) {
    unsigned Whole = Amount / LimbBits, Rest = Amount % LimbBits;
    auto At = [&](size_t Idx) { return Idx < Limbs.size() ? Limbs[Idx] : limb(0); };
    LimbVector Result;
    for (size_t Idx = 0; Idx < Count; ++Idx) {
      Value *Bits = Idx < Whole ? limb(0) : Builder.CreateShl(At(Idx - Whole), Rest);
      if (Rest && Idx > Whole)
        Bits = Builder.CreateOr(Bits, Builder.CreateLShr(At(Idx - Whole - 1), LimbBits - Rest));
      Result.push_back(Bits);
    }
    return Result;
  }

  /// Returns the value, shifted by a constant, with `Fill` as the upper limbs.
  LimbVector shiftedRight(const LimbVector &Limbs, unsigned Amount, Value *Fill) {
    unsigned Whole = Amount / LimbBits, Rest = Amount % LimbBits;
    auto At = [&](size_t Idx) { return Idx < Limbs.size() ? Limbs[Idx] : Fill; };
    LimbVector Result;
    for (size_t Idx = 0; Idx < Limbs.size(); ++Idx) {
      Value *Bits = Builder.CreateLShr(At(Idx + Whole), Rest);
      if (Rest)
        Bits = Builder.CreateOr(Bits, Builder.CreateShl(At(Idx + Whole + 1), LimbBits - Rest));
      Result.push_back(Bits);
    }
    return Result;
  }

  LimbVector selected(Value *Cond, const LimbVector &Left, const LimbVector &Right) {
    LimbVector Result;
    for (auto [A, B] : zip_equal(Left, Right))
      Result.push_back(Builder.CreateSelect(Cond, A, B));
    return Result;
  }

  /// Shifts by a variable amount, by a conditional shift for each of its bits.
  LimbVector shifted(Instruction::BinaryOps Opcode, LimbVector Limbs, const LimbVector &Amount,
                     unsigned Width) {
    Value *Fill = limb(0);
    if (Opcode == Instruction::AShr) {
      Limbs = signExtended(Limbs, Width, Limbs.size() * LimbBits);
      Fill = Builder.CreateAShr(Limbs.back(), LimbBits - 1);
    }
    for (unsigned Step = 1; Step < Width; Step *= 2) {
      Value *IsSet = Builder.CreateICmpNE(Builder.CreateAnd(Amount.front(), Step), limb(0));
      LimbVector Moved = Opcode == Instruction::Shl ? shiftedLeft(Limbs, Step, Limbs.size())
                                                    : shiftedRight(Limbs, Step, Fill);
      Limbs = selected(IsSet, Moved, Limbs);
    }
    return fitted(Limbs, Width);
  }

  LimbVector sum(const LimbVector &Left, const LimbVector &Right, Value *Carry) {
    LimbVector Result;
    for (auto [A, B] : zip_equal(Left, Right)) {
      Value *Part = Builder.CreateAdd(A, B), *All = Builder.CreateAdd(Part, Carry);
      Value *Overflows =
          Builder.CreateOr(Builder.CreateICmpULT(Part, A), Builder.CreateICmpULT(All, Part));
      Carry = Builder.CreateZExt(Overflows, Builder.getInt64Ty());
      Result.push_back(All);
    }
    return Result;
  }

  /// The upper half of the product of two limbs, computed from products of their halves.
  Value *highProduct(Value *A, Value *B) {
    constexpr unsigned HalfBits = LimbBits / 2;
    Value *Mask = limb(maskTrailingOnes<uint64_t>(HalfBits));
    Value *ALow = Builder.CreateAnd(A, Mask), *AHigh = Builder.CreateLShr(A, HalfBits);
    Value *BLow = Builder.CreateAnd(B, Mask), *BHigh = Builder.CreateLShr(B, HalfBits);
    Value *Carry = Builder.CreateLShr(Builder.CreateMul(ALow, BLow), HalfBits);
    Value *Middle = Builder.CreateAdd(Builder.CreateMul(AHigh, BLow), Carry);
    Value *Other =
        Builder.CreateAdd(Builder.CreateMul(ALow, BHigh), Builder.CreateAnd(Middle, Mask));
    Value *High =
        Builder.CreateAdd(Builder.CreateMul(AHigh, BHigh), Builder.CreateLShr(Middle, HalfBits));
    return Builder.CreateAdd(High, Builder.CreateLShr(Other, HalfBits));
  }

  /// The product, without the limbs beyond those of the factors.
  LimbVector product(const LimbVector &Left, const LimbVector &Right) {
    LimbVector Result(Left.size(), limb(0));
    for (auto [I, A] : enumerate(Left))
      for (auto [J, B] : enumerate(Right)) {
        size_t Place = I + J;
        if (Place >= Result.size())
          continue;
        LimbVector Part(Result.size(), limb(0));
        Part[Place] = Builder.CreateMul(A, B);
        if (Place + 1 < Part.size())
          Part[Place + 1] = highProduct(A, B);
        Result = sum(Result, Part, limb(0));
      }
    return Result;
  }

  LimbVector inverted(const LimbVector &Limbs) {
    LimbVector Result;
    for (Value *Limb : Limbs)
      Result.push_back(Builder.CreateNot(Limb));
    return Result;
  }

  LimbVector computed(BinaryOperator &Old, const LimbVector &Left, const LimbVector &Right) {
    unsigned Width = widthOf(Old.getType());
    switch (Old.getOpcode()) {
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
      return bitwise(Old.getOpcode(), Left, Right);
    case Instruction::Add:
      return fitted(sum(Left, Right, limb(0)), Width);
    case Instruction::Sub:
      return fitted(sum(Left, inverted(Right), limb(1)), Width);
    case Instruction::Mul:
      return fitted(product(Left, Right), Width);
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      return shifted(Old.getOpcode(), Left, Right, Width);
    default:
      llvm_unreachable("checkSplittable() accepts no other operations");
    }
  }

  void arithmetic(BinaryOperator &Old) {
    ElementVector Result;
    for (auto [Left, Right] :
         zip_equal(elementsOf(Old.getOperand(0)), elementsOf(Old.getOperand(1))))
      Result.push_back(computed(Old, Left, Right));
    replaceBy(Old, Result);
  }

  void select(SelectInst &Old) {
    ElementVector Result;
    for (auto [Left, Right] :
         zip_equal(elementsOf(Old.getTrueValue()), elementsOf(Old.getFalseValue())))
      Result.push_back(selected(Old.getCondition(), Left, Right));
    replaceBy(Old, Result);
  }

  Value *isLess(const LimbVector &Left, const LimbVector &Right, bool IsSigned) {
    Value *Less = Builder.getFalse();
    for (auto [Idx, A, B] : enumerate(Left, Right)) {
      bool IsTop = Idx + 1 == Left.size();
      Value *LimbLess =
          IsSigned && IsTop ? Builder.CreateICmpSLT(A, B) : Builder.CreateICmpULT(A, B);
      Less = Builder.CreateSelect(Builder.CreateICmpEQ(A, B), Less, LimbLess);
    }
    return Less;
  }

  void compare(ICmpInst &Old) {
    LimbVector Left = limbsOf(Old.getOperand(0)), Right = limbsOf(Old.getOperand(1));
    if (Old.isEquality()) {
      Value *Difference = limb(0);
      for (Value *Limb : bitwise(Instruction::Xor, Left, Right))
        Difference = Builder.CreateOr(Difference, Limb);
      return Old.replaceAllUsesWith(Builder.CreateICmp(Old.getPredicate(), Difference, limb(0)));
    }
    if (Old.isSigned())
      for (LimbVector *Limbs : {&Left, &Right})
        *Limbs =
            signExtended(*Limbs, widthOf(Old.getOperand(0)->getType()), Limbs->size() * LimbBits);
    // a > b is b < a, and a <= b is its negation.
    ICmpInst::Predicate Pred = Old.getStrictPredicate();
    bool IsGreater = ICmpInst::isGT(Old.getPredicate()) || ICmpInst::isLE(Old.getPredicate());
    bool IsStrict = Pred == Old.getPredicate();
    Value *Less =
        IsGreater ? isLess(Right, Left, Old.isSigned()) : isLess(Left, Right, Old.isSigned());
    Old.replaceAllUsesWith(IsStrict ? Less : Builder.CreateNot(Less));
  }

  static uint64_t constantIndex(const Value *Index) {
    return cast<ConstantInt>(Index)->getZExtValue();
  }

  void rearrange(Instruction &Old) {
    ElementVector Elements = elementsOf(Old.getOperand(0));
    if (isa<ExtractElementInst>(Old))
      return replaceBy(Old, {Elements[constantIndex(Old.getOperand(1))]});
    if (isa<InsertElementInst>(Old)) {
      Elements[constantIndex(Old.getOperand(2))] = limbsOf(Old.getOperand(1));
      return replaceBy(Old, Elements);
    }
    append_range(Elements, elementsOf(Old.getOperand(1)));
    ElementVector Result;
    for (int Idx : cast<ShuffleVectorInst>(Old).getShuffleMask())
      Result.push_back(Elements[std::max(Idx, 0)]);
    replaceBy(Old, Result);
  }

  /// Calls `Visit` for each part of each element in memory, with the indices of element and limb,
  /// and the part's type, address and alignment.
  template <typename Callable>
  void forEachPart(Type *Ty, Value *Pointer, Align Alignment, Callable Visit) {
    unsigned Width = widthOf(Ty), Bytes = divideCeil(Width, 8);
    for (unsigned Element = 0; Element < lengthOf(Ty); ++Element)
      for (unsigned Bit = 0; Bit < Bytes; Bit += LimbBits / 8) {
        unsigned Size = std::min(LimbBits / 8, Bytes - Bit), Offset = Element * Bytes + Bit;
        Value *Address = Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(), Pointer, Offset);
        Visit(Element, Bit * 8 / LimbBits, Builder.getIntNTy(Size * 8), Address,
              commonAlignment(Alignment, Offset));
      }
  }

  void load(LoadInst &Old) {
    Type *Ty = Old.getType();
    ElementVector Elements(lengthOf(Ty), LimbVector(divideCeil(widthOf(Ty), LimbBits)));
    forEachPart(Ty, Old.getPointerOperand(), Old.getAlign(),
                [&](unsigned Element, unsigned Bit, Type *PartTy, Value *Address, Align Alignment) {
                  Value *Part =
                      Builder.CreateAlignedLoad(PartTy, Address, Alignment, Old.isVolatile());
                  Elements[Element][Bit] = Builder.CreateZExt(Part, Builder.getInt64Ty());
                });
    replaceBy(Old, forEachElement(Elements, [&](const LimbVector &Limbs) {
                return fitted(Limbs, widthOf(Ty));
              }));
  }

  void store(StoreInst &Old) {
    Type *Ty = Old.getValueOperand()->getType();
    ElementVector Elements = elementsOf(Old.getValueOperand());
    forEachPart(Ty, Old.getPointerOperand(), Old.getAlign(),
                [&](unsigned Element, unsigned Bit, Type *PartTy, Value *Address, Align Alignment) {
                  Builder.CreateAlignedStore(Builder.CreateTrunc(Elements[Element][Bit], PartTy),
                                             Address, Alignment, Old.isVolatile());
                });
  }
};

} // namespace

void splitWideIntegers(ModuleHandle &Handle) {
  Handle.use("splitting wide integers", [](Module &M) -> Error {
    SmallVector<Function *> Functions = functionsWith(M, needsSplitting);
    for (Function *F : Functions) {
      removeUnreachableBlocks(*F);
      if (Error Err = checkSplittable(*F))
        return Err;
    }
    for (Function *F : Functions)
      Splitting(*F).run();
    for (Function &F : M)
      useBytes(F);
    return Error::success();
  });
}

} // namespace dovetail
