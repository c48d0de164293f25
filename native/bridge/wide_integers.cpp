#include "wide_integers.h"

#include "errors.h"
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

/// Whether there are such integers in a type.
bool hasWide(Type *Ty) { return isWide(Ty) || any_of(Ty->subtypes(), hasWide); }

/// Has variables with such integers be bytes, and addresses in them be computed in bytes.
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

bool concerns(const Instruction &I) {
  return isWide(I.getType()) ||
         any_of(I.operands(), [](const Use &U) { return isWide(U->getType()); });
}

unsigned lengthOf(const Type *Ty) {
  const auto *Vector = dyn_cast<FixedVectorType>(Ty);
  return Vector ? Vector->getNumElements() : 1;
}

/// An integer as its parts of 64 bits, the lowest first. Bits that it does not have are zero.
using LimbVector = SmallVector<Value *, 4>;
/// The elements of a vector; a number is one.
using ElementVector = SmallVector<LimbVector, 1>;

/// The rewriting of one function.
class Splitting {
public:
  explicit Splitting(Function &F)
      : F(F), Builder(F.getContext(), InstSimplifyFolder(F.getDataLayout())) {}

  void run() {
    for (BasicBlock *BB : ReversePostOrderTraversal<Function *>(&F))
      for (Instruction &I : make_early_inc_range(*BB))
        if (concerns(I))
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

  [[noreturn]] void giveUp(const Value &V) const {
    std::string Text;
    raw_string_ostream OS(Text);
    V.print(OS);
    throw IRError(("'" + F.getName() + "' computes with integers of more than 64 bits, " +
                   "which devices do not have: " + StringRef(Text).trim())
                      .str());
  }

  Value *limb(uint64_t Val) { return Builder.getInt64(Val); }

  ElementVector elementsOf(Value *V) {
    if (auto Found = Split.find(V); Found != Split.end())
      return Found->second;
    auto *C = dyn_cast<Constant>(V);
    if (!C || isa<ConstantExpr>(C))
      giveUp(*V);
    ElementVector Elements;
    for (unsigned Idx = 0; Idx < lengthOf(V->getType()); ++Idx)
      Elements.push_back(limbsOf(V->getType()->isVectorTy() ? C->getAggregateElement(Idx) : C));
    return Elements;
  }

  LimbVector limbsOf(Constant *C) {
    LimbVector Limbs;
    unsigned Width = widthOf(C->getType());
    // What is undefined may be zero.
    const auto *Integer = dyn_cast<ConstantInt>(C);
    APInt Val = Integer ? Integer->getValue() : APInt::getZero(Width);
    for (unsigned Bit = 0; Bit < Width; Bit += LimbBits)
      Limbs.push_back(limb(Val.extractBitsAsZExtValue(std::min(LimbBits, Width - Bit), Bit)));
    return Limbs;
  }

  LimbVector limbsOf(Value *V) { return elementsOf(V).front(); }

  /// Limbs without bits beyond a width, and as many of them as it takes.
  LimbVector fitted(LimbVector Limbs, unsigned Width) {
    Limbs.resize(divideCeil(Width, LimbBits), limb(0));
    if (unsigned Rest = Width % LimbBits)
      Limbs.back() = Builder.CreateAnd(Limbs.back(), maskTrailingOnes<uint64_t>(Rest));
    return Limbs;
  }

  /// Limbs of an integer of one width as those of a wider one with the same sign.
  LimbVector signExtended(LimbVector Limbs, unsigned From, unsigned To) {
    if (unsigned Unused = Limbs.size() * LimbBits - From)
      Limbs.back() = Builder.CreateAShr(Builder.CreateShl(Limbs.back(), Unused), Unused);
    Value *Sign = Builder.CreateAShr(Limbs.back(), LimbBits - 1);
    Limbs.resize(divideCeil(To, LimbBits), Sign);
    return fitted(Limbs, To);
  }

  /// An element of at most 64 bits, of any type that has bits, as a limb.
  Value *limbOf(Value *Element, const Value &Usr) {
    Type *Ty = Element->getType();
    if (!Ty->isIntegerTy() && !Ty->isFloatingPointTy())
      giveUp(Usr);
    Value *Bits = Builder.CreateBitCast(Element, Builder.getIntNTy(widthOf(Ty)));
    return Builder.CreateZExt(Bits, Builder.getInt64Ty());
  }

  Value *fromLimb(Value *V, Type *Ty) {
    return Builder.CreateBitCast(Builder.CreateTrunc(V, Builder.getIntNTy(widthOf(Ty))), Ty);
  }

  /// The elements of a value, also of one that is not wide.
  ElementVector anyElementsOf(Value *V, const Value &Usr) {
    if (isWide(V->getType()))
      return elementsOf(V);
    if (widthOf(V->getType()) > LimbBits)
      giveUp(Usr);
    ElementVector Elements;
    if (!V->getType()->isVectorTy())
      return {{limbOf(V, Usr)}};
    for (unsigned Idx = 0; Idx < lengthOf(V->getType()); ++Idx)
      Elements.push_back({limbOf(Builder.CreateExtractElement(V, Idx), Usr)});
    return Elements;
  }

  /// Elements as a value of a type that is not wide.
  Value *assembled(const ElementVector &Elements, Type *Ty) {
    if (!Ty->isVectorTy())
      return fromLimb(Elements.front().front(), Ty);
    Value *Vector = PoisonValue::get(Ty);
    for (auto [Idx, Element] : enumerate(Elements))
      Vector =
          Builder.CreateInsertElement(Vector, fromLimb(Element.front(), Ty->getScalarType()), Idx);
    return Vector;
  }

  /// Remembers what has become of an instruction.
  void becomes(Instruction &Old, const ElementVector &Elements) {
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
      return becomes(Old, forEachElement(elementsOf(Old.getOperand(0)), [&](LimbVector Limbs) {
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
      giveUp(Old);
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
    becomes(Old, forEachElement(anyElementsOf(Old.getOperand(0), Old), [&](LimbVector Limbs) {
              return IsSigned ? signExtended(Limbs, From, To) : fitted(Limbs, To);
            }));
  }

  /// All bits of a value in a row, then parts of them.
  void reinterpret(BitCastInst &Old) {
    Type *FromTy = Old.getSrcTy(), *ToTy = Old.getDestTy();
    unsigned Total = lengthOf(FromTy) * widthOf(FromTy);
    LimbVector Bits(divideCeil(Total, LimbBits), limb(0));
    for (auto [Idx, Element] : enumerate(anyElementsOf(Old.getOperand(0), Old)))
      Bits =
          bitwise(Instruction::Or, Bits, shiftedLeft(Element, Idx * widthOf(FromTy), Bits.size()));
    ElementVector Elements;
    for (unsigned Idx = 0; Idx < lengthOf(ToTy); ++Idx)
      Elements.push_back(fitted(shiftedRight(Bits, Idx * widthOf(ToTy), limb(0)), widthOf(ToTy)));
    becomes(Old, Elements);
  }

  LimbVector bitwise(Instruction::BinaryOps Opcode, const LimbVector &Left,
                     const LimbVector &Right) {
    LimbVector Result;
    for (auto [A, B] : zip_equal(Left, Right))
      Result.push_back(Builder.CreateBinOp(Opcode, A, B));
    return Result;
  }

  /// Shifted by a constant, cut off after `count` limbs.
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

  /// Shifted by a constant; what comes in at the upper end is `fill`.
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

  /// By a number that is not known: by 1, 2, 4 and so on, or not.
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
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      return shifted(Old.getOpcode(), Left, Right, Width);
    default:
      giveUp(Old);
    }
  }

  void arithmetic(BinaryOperator &Old) {
    ElementVector Result;
    for (auto [Left, Right] :
         zip_equal(elementsOf(Old.getOperand(0)), elementsOf(Old.getOperand(1))))
      Result.push_back(computed(Old, Left, Right));
    becomes(Old, Result);
  }

  void select(SelectInst &Old) {
    if (Old.getCondition()->getType()->isVectorTy())
      giveUp(Old);
    ElementVector Result;
    for (auto [Left, Right] :
         zip_equal(elementsOf(Old.getTrueValue()), elementsOf(Old.getFalseValue())))
      Result.push_back(selected(Old.getCondition(), Left, Right));
    becomes(Old, Result);
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
    if (Old.getType()->isVectorTy())
      giveUp(Old);
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
    // a > b is b < a, and a <= b is not that.
    ICmpInst::Predicate Pred = Old.getStrictPredicate();
    bool IsGreater = ICmpInst::isGT(Old.getPredicate()) || ICmpInst::isLE(Old.getPredicate());
    bool IsStrict = Pred == Old.getPredicate();
    Value *Less =
        IsGreater ? isLess(Right, Left, Old.isSigned()) : isLess(Left, Right, Old.isSigned());
    Old.replaceAllUsesWith(IsStrict ? Less : Builder.CreateNot(Less));
  }

  unsigned constantIndex(const Instruction &Usr, const Value *Index, unsigned Length) const {
    const auto *C = dyn_cast<ConstantInt>(Index);
    if (!C || C->getValue().uge(Length))
      giveUp(Usr);
    return C->getZExtValue();
  }

  void rearrange(Instruction &Old) {
    ElementVector Elements = elementsOf(Old.getOperand(0));
    if (isa<ExtractElementInst>(Old))
      return becomes(Old, {Elements[constantIndex(Old, Old.getOperand(1), Elements.size())]});
    if (isa<InsertElementInst>(Old)) {
      Elements[constantIndex(Old, Old.getOperand(2), Elements.size())] = limbsOf(Old.getOperand(1));
      return becomes(Old, Elements);
    }
    append_range(Elements, elementsOf(Old.getOperand(1)));
    ElementVector Result;
    for (int Idx : cast<ShuffleVectorInst>(Old).getShuffleMask())
      Result.push_back(Elements[std::max(Idx, 0)]);
    becomes(Old, Result);
  }

  /// Calls `visit` with the bytes of each part of each element in memory, and the part's width.
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

  /// In vectors, elements that are not whole bytes lie without gaps.
  void requireWholeBytes(Type *Ty, const Instruction &Usr) const {
    if (Ty->isVectorTy() && widthOf(Ty) % 8)
      giveUp(Usr);
  }

  void load(LoadInst &Old) {
    Type *Ty = Old.getType();
    requireWholeBytes(Ty, Old);
    ElementVector Elements(lengthOf(Ty), LimbVector(divideCeil(widthOf(Ty), LimbBits)));
    forEachPart(Ty, Old.getPointerOperand(), Old.getAlign(),
                [&](unsigned Element, unsigned Bit, Type *PartTy, Value *Address, Align Alignment) {
                  Value *Part =
                      Builder.CreateAlignedLoad(PartTy, Address, Alignment, Old.isVolatile());
                  Elements[Element][Bit] = Builder.CreateZExt(Part, Builder.getInt64Ty());
                });
    becomes(Old,
            forEachElement(Elements, [&](LimbVector Limbs) { return fitted(Limbs, widthOf(Ty)); }));
  }

  void store(StoreInst &Old) {
    Type *Ty = Old.getValueOperand()->getType();
    requireWholeBytes(Ty, Old);
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
  Handle.use("splitting wide integers", [](Module &M) {
    for (Function *F : functionsWith(M, concerns)) {
      removeUnreachableBlocks(*F);
      rewriteOrRestore(*F, [&] { Splitting(*F).run(); });
    }
    for (Function &F : M)
      useBytes(F);
  });
}

} // namespace dovetail
