#include "integer_widths.h"

#include "module.h"
#include "rewriting.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/Local.h"

namespace dovetail {

using namespace llvm;

namespace {

constexpr unsigned MaxWidth = 64;

bool isSupportedWidth(unsigned Width) {
  return Width == 1 || (isPowerOf2_32(Width) && Width >= 8 && Width <= MaxWidth);
}

/// Whether a type is an integer, or a vector of integers, of a width that SPIR-V does not support.
bool hasUnsupportedWidth(const Type *Ty) {
  const auto *Integer = dyn_cast<IntegerType>(Ty->getScalarType());
  return Integer && !isSupportedWidth(Integer->getBitWidth());
}

bool isBooleanVector(const Type *Ty) {
  return Ty->isVectorTy() && Ty->getScalarType()->isIntegerTy(1);
}

/// Whether an instruction is a cast that SPIR-V does not support.
bool isUnsupportedBitcast(const Instruction &I) {
  if (!isa<BitCastInst>(I))
    return false;
  Type *FromTy = I.getOperand(0)->getType(), *ToTy = I.getType();
  return isBooleanVector(FromTy) != isBooleanVector(ToTy);
}

bool needsPromotion(const Instruction &I) {
  return hasUnsupportedWidth(I.getType()) || isUnsupportedBitcast(I) ||
         any_of(I.operands(), [](const Use &U) { return hasUnsupportedWidth(U->getType()); });
}

bool canPromoteBitCast(const BitCastInst &BitCast) {
  Type *FromTy = BitCast.getSrcTy(), *ToTy = BitCast.getDestTy();
  return FromTy->getScalarType()->isIntegerTy() && ToTy->getScalarType()->isIntegerTy() &&
         ((isa<FixedVectorType>(FromTy) && ToTy->isIntegerTy()) ||
          (FromTy->isIntegerTy() && isa<FixedVectorType>(ToTy)));
}

bool canPromoteCall(const Instruction &I) {
  const auto *II = dyn_cast<IntrinsicInst>(&I);
  if (!II)
    return false;
  switch (II->getIntrinsicID()) {
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::abs:
  case Intrinsic::ctpop:
  case Intrinsic::bswap:
  case Intrinsic::bitreverse:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::uadd_sat:
  case Intrinsic::usub_sat:
  case Intrinsic::sadd_sat:
  case Intrinsic::ssub_sat:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
    return true;
  default:
    return false;
  }
}

bool canPromoteOperation(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::PHI:
  case Instruction::ICmp:
  case Instruction::Switch:
  case Instruction::GetElementPtr:
  case Instruction::Select:
  case Instruction::Freeze:
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::UIToFP:
  case Instruction::SIToFP:
  case Instruction::FPToUI:
  case Instruction::FPToSI:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    return true;
  case Instruction::Load:
  case Instruction::Store:
    return getLoadStoreType(&I)->isIntegerTy();
  case Instruction::BitCast:
    return canPromoteBitCast(cast<BitCastInst>(I));
  case Instruction::Call:
    return canPromoteCall(I);
  default:
    return I.isBinaryOp();
  }
}

/// Whether an instruction has an operand or result of an unsupported width that cannot be promoted.
bool hasUnpromotableType(const Instruction &I) {
  auto IsTooWide = [](const Type *Ty) {
    return hasUnsupportedWidth(Ty) && Ty->getScalarSizeInBits() > MaxWidth;
  };
  return IsTooWide(I.getType()) ||
         any_of(I.operands(), [&](const Use &U) { return IsTooWide(U->getType()); });
}

Error createWidthError(const Function &F, const Value &V) {
  std::string Text;
  raw_string_ostream OS(Text);
  V.print(OS);
  return createStringError("'" + F.getName() +
                           "' has an integer of a width that SPIR-V does not support, in code " +
                           "that cannot be rewritten: " + StringRef(Text).trim());
}

/// Returns an error if a function cannot be promoted.
Error checkPromotable(const Function &F) {
  for (const Argument &Arg : F.args())
    if (hasUnsupportedWidth(Arg.getType()))
      return createWidthError(F, Arg);
  for (const Instruction &I : instructions(F))
    if (needsPromotion(I) && (hasUnpromotableType(I) || !canPromoteOperation(I)))
      return createWidthError(F, I);
  return Error::success();
}

/// Promotes the integers of one function, for which checkPromotable() returned success.
class Promotion {
public:
  explicit Promotion(Function &F) : F(F), Builder(F.getContext()), DL(F.getDataLayout()) {}

  void run() {
    for (BasicBlock *BB : ReversePostOrderTraversal<Function *>(&F))
      for (Instruction &I : make_early_inc_range(*BB))
        if (needsPromotion(I))
          rewrite(I);
    for (auto [OldPhi, NewPhi] : Phis)
      for (unsigned Idx = 0; Idx < OldPhi->getNumIncomingValues(); ++Idx)
        NewPhi->addIncoming(promoted(OldPhi->getIncomingValue(Idx)), OldPhi->getIncomingBlock(Idx));
    for (Instruction *Old : Replaced)
      Old->dropAllReferences();
    for (Instruction *Old : Replaced)
      Old->eraseFromParent();
  }

private:
  Function &F;
  IRBuilder<> Builder;
  const DataLayout &DL;
  DenseMap<Value *, Value *> Promoted;
  SmallVector<std::pair<PHINode *, PHINode *>> Phis;
  SmallVector<Instruction *> Replaced;

  static unsigned widthOf(const Value *V) { return V->getType()->getScalarSizeInBits(); }

  /// Returns the next wider supported type.
  static Type *wider(Type *Ty) {
    unsigned Width = std::max<unsigned>(8, PowerOf2Ceil(Ty->getScalarSizeInBits()));
    return Ty->getWithNewBitWidth(Width);
  }

  static Type *supportedType(Type *Ty) { return hasUnsupportedWidth(Ty) ? wider(Ty) : Ty; }

  /// Returns the value as a supported type, with its other bits zero.
  Value *promoted(Value *V) {
    if (!hasUnsupportedWidth(V->getType()))
      return V;
    if (auto Found = Promoted.find(V); Found != Promoted.end())
      return Found->second;
    return Builder.CreateZExt(cast<Constant>(V), wider(V->getType()));
  }

  /// Returns the value as a supported type, with its other bits equal to its sign.
  Value *signExtended(Value *V) {
    Value *Wide = promoted(V);
    unsigned Unused = widthOf(Wide) - widthOf(V);
    return Unused ? Builder.CreateAShr(Builder.CreateShl(Wide, Unused), Unused) : Wide;
  }

  /// Returns the bits of a wider value that a value of type `Ty` has.
  Value *masked(Value *Wide, const Type *Ty) {
    APInt Mask = APInt::getLowBitsSet(widthOf(Wide), Ty->getScalarSizeInBits());
    return Builder.CreateAnd(Wide, ConstantInt::get(Wide->getType(), Mask));
  }

  void rewrite(Instruction &Old) {
    Builder.SetInsertPoint(&Old);
    Value *Result = replacementFor(Old);
    if (hasUnsupportedWidth(Old.getType()))
      Promoted[&Old] = Result;
    else if (Result)
      Old.replaceAllUsesWith(Result);
    Replaced.push_back(&Old);
  }

  Value *replacementFor(Instruction &Old) {
    switch (Old.getOpcode()) {
    case Instruction::PHI:
      return phi(cast<PHINode>(Old));
    case Instruction::Load:
      return load(cast<LoadInst>(Old));
    case Instruction::Store:
      return store(cast<StoreInst>(Old));
    case Instruction::BitCast:
      return bitcast(cast<BitCastInst>(Old));
    case Instruction::ICmp:
      return compare(cast<ICmpInst>(Old));
    case Instruction::Switch:
      return chooseCase(cast<SwitchInst>(Old));
    case Instruction::Call:
      return call(cast<CallInst>(Old));
    case Instruction::GetElementPtr:
      return address(cast<GetElementPtrInst>(Old));
    default:
      if (auto *BinOp = dyn_cast<BinaryOperator>(&Old))
        return arithmetic(*BinOp);
      if (auto *Cast = dyn_cast<CastInst>(&Old))
        return convert(*Cast);
      return sameOperation(Old);
    }
  }

  /// Rewrites instructions that do not change values.
  Value *sameOperation(Instruction &Old) {
    switch (Old.getOpcode()) {
    case Instruction::Select:
      return Builder.CreateSelect(Old.getOperand(0), promoted(Old.getOperand(1)),
                                  promoted(Old.getOperand(2)));
    case Instruction::Freeze:
      // A frozen value may have any bits, including those that must be zero.
      return masked(Builder.CreateFreeze(promoted(Old.getOperand(0))), Old.getType());
    case Instruction::ExtractElement:
      return Builder.CreateExtractElement(promoted(Old.getOperand(0)), promoted(Old.getOperand(1)));
    case Instruction::InsertElement:
      return Builder.CreateInsertElement(promoted(Old.getOperand(0)), promoted(Old.getOperand(1)),
                                         promoted(Old.getOperand(2)));
    case Instruction::ShuffleVector:
      return Builder.CreateShuffleVector(promoted(Old.getOperand(0)), promoted(Old.getOperand(1)),
                                         cast<ShuffleVectorInst>(Old).getShuffleMask());
    default:
      llvm_unreachable("checkPromotable() accepts no other operations");
    }
  }

  Value *phi(PHINode &Old) {
    PHINode *NewPhi =
        Builder.CreatePHI(wider(Old.getType()), Old.getNumIncomingValues(), Old.getName());
    Phis.push_back({&Old, NewPhi});
    return NewPhi;
  }

  Value *arithmetic(BinaryOperator &Old) {
    bool IsSigned = Old.getOpcode() == Instruction::AShr || Old.getOpcode() == Instruction::SDiv ||
                    Old.getOpcode() == Instruction::SRem;
    Value *Left = IsSigned ? signExtended(Old.getOperand(0)) : promoted(Old.getOperand(0));
    // A shift amount has no sign.
    Value *Right = IsSigned && Old.getOpcode() != Instruction::AShr
                       ? signExtended(Old.getOperand(1))
                       : promoted(Old.getOperand(1));
    return masked(Builder.CreateBinOp(Old.getOpcode(), Left, Right), Old.getType());
  }

  Value *compare(ICmpInst &Old) {
    auto Operand = [&](unsigned Idx) {
      return Old.isSigned() ? signExtended(Old.getOperand(Idx)) : promoted(Old.getOperand(Idx));
    };
    return Builder.CreateICmp(Old.getPredicate(), Operand(0), Operand(1));
  }

  Value *convert(CastInst &Old) {
    Value *From = Old.getOperand(0);
    Type *ToTy = supportedType(Old.getType());
    switch (Old.getOpcode()) {
    case Instruction::Trunc:
    case Instruction::ZExt: {
      Value *Result = Builder.CreateZExtOrTrunc(promoted(From), ToTy);
      return hasUnsupportedWidth(Old.getType()) ? masked(Result, Old.getType()) : Result;
    }
    case Instruction::SExt: {
      Value *Result = Builder.CreateSExtOrTrunc(signExtended(From), ToTy);
      return hasUnsupportedWidth(Old.getType()) ? masked(Result, Old.getType()) : Result;
    }
    case Instruction::UIToFP:
      return Builder.CreateUIToFP(promoted(From), ToTy);
    case Instruction::SIToFP:
      return Builder.CreateSIToFP(signExtended(From), ToTy);
    case Instruction::FPToUI:
      return masked(Builder.CreateFPToUI(From, ToTy), Old.getType());
    case Instruction::FPToSI:
      return masked(Builder.CreateFPToSI(From, ToTy), Old.getType());
    case Instruction::PtrToInt:
      return masked(Builder.CreatePtrToInt(From, ToTy), Old.getType());
    case Instruction::IntToPtr:
      return Builder.CreateIntToPtr(promoted(From), ToTy);
    default:
      llvm_unreachable("checkPromotable() accepts no other operations");
    }
  }

  /// Casts a vector to an integer or vice versa. The first element has the lowest bits.
  Value *bitcast(BitCastInst &Old) {
    Value *From = Old.getOperand(0);
    return From->getType()->isVectorTy() ? joined(From, Old) : parted(From, Old);
  }

  Value *joined(Value *Vector, BitCastInst &Old) {
    Type *ToTy = supportedType(Old.getType());
    unsigned Width = widthOf(Vector);
    Value *Elements = promoted(Vector), *Result = ConstantInt::get(ToTy, 0);
    for (unsigned Idx = 0; Idx < cast<FixedVectorType>(Vector->getType())->getNumElements();
         ++Idx) {
      Value *Element = Builder.CreateZExtOrTrunc(Builder.CreateExtractElement(Elements, Idx), ToTy);
      Result = Builder.CreateOr(Result, Builder.CreateShl(Element, uint64_t(Idx) * Width));
    }
    return Result;
  }

  Value *parted(Value *Bits, BitCastInst &Old) {
    Type *Ty = supportedType(Old.getType());
    unsigned Width = Old.getType()->getScalarSizeInBits();
    Value *All = promoted(Bits), *Result = PoisonValue::get(Ty);
    for (unsigned Idx = 0; Idx < cast<FixedVectorType>(Ty)->getNumElements(); ++Idx) {
      Value *Element = Builder.CreateZExtOrTrunc(Builder.CreateLShr(All, uint64_t(Idx) * Width),
                                                 Ty->getScalarType());
      if (hasUnsupportedWidth(Old.getType()))
        Element = masked(Element, Old.getType());
      Result = Builder.CreateInsertElement(Result, Element, Idx);
    }
    return Result;
  }

  /// Calls `Visit` with the type and byte offset of each part of an integer in memory.
  template <typename Callable> void forEachPart(Type *Ty, Callable Visit) {
    uint64_t Size = DL.getTypeStoreSize(Ty).getFixedValue();
    for (uint64_t Offset = 0; Offset < Size;) {
      uint64_t Part = std::min<uint64_t>(bit_floor(Size - Offset), MaxWidth / 8);
      Visit(Builder.getIntNTy(Part * 8), Offset);
      Offset += Part;
    }
  }

  Value *load(LoadInst &Old) {
    Type *ToTy = wider(Old.getType());
    Value *Result = ConstantInt::get(ToTy, 0);
    forEachPart(Old.getType(), [&](Type *PartTy, uint64_t Offset) {
      Value *Address =
          Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(), Old.getPointerOperand(), Offset);
      LoadInst *Part = Builder.CreateAlignedLoad(
          PartTy, Address, commonAlignment(Old.getAlign(), Offset), Old.isVolatile());
      Result =
          Builder.CreateOr(Result, Builder.CreateShl(Builder.CreateZExt(Part, ToTy), Offset * 8));
    });
    return masked(Result, Old.getType());
  }

  Value *store(StoreInst &Old) {
    Type *Ty = Old.getValueOperand()->getType();
    Value *V = promoted(Old.getValueOperand());
    forEachPart(Ty, [&](Type *PartTy, uint64_t Offset) {
      Value *Address =
          Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(), Old.getPointerOperand(), Offset);
      Value *Bits = Builder.CreateTrunc(Builder.CreateLShr(V, Offset * 8), PartTy);
      Builder.CreateAlignedStore(Bits, Address, commonAlignment(Old.getAlign(), Offset),
                                 Old.isVolatile());
    });
    return nullptr;
  }

  Value *chooseCase(SwitchInst &Old) {
    Value *Cond = promoted(Old.getCondition());
    SwitchInst *NewSwitch = Builder.CreateSwitch(Cond, Old.getDefaultDest(), Old.getNumCases());
    for (auto &Case : Old.cases())
      NewSwitch->addCase(cast<ConstantInt>(promoted(Case.getCaseValue())), Case.getCaseSuccessor());
    NewSwitch->copyMetadata(Old);
    return nullptr;
  }

  Value *address(GetElementPtrInst &Old) {
    SmallVector<Value *> Indices;
    // Indices are signed.
    for (Use &Index : Old.indices())
      Indices.push_back(signExtended(Index));
    return Builder.CreateGEP(Old.getSourceElementType(), Old.getPointerOperand(), Indices,
                             Old.getName(), Old.getNoWrapFlags());
  }

  Value *call(CallInst &Old) {
    auto *II = cast<IntrinsicInst>(&Old);
    Type *Ty = Old.getArgOperand(0)->getType();
    switch (II->getIntrinsicID()) {
    case Intrinsic::umin:
    case Intrinsic::umax:
      return Builder.CreateBinaryIntrinsic(II->getIntrinsicID(), promoted(Old.getArgOperand(0)),
                                           promoted(Old.getArgOperand(1)));
    case Intrinsic::smin:
    case Intrinsic::smax:
      return masked(Builder.CreateBinaryIntrinsic(II->getIntrinsicID(),
                                                  signExtended(Old.getArgOperand(0)),
                                                  signExtended(Old.getArgOperand(1))),
                    Ty);
    case Intrinsic::abs:
      return masked(Builder.CreateBinaryIntrinsic(
                        Intrinsic::abs, signExtended(Old.getArgOperand(0)), Builder.getFalse()),
                    Ty);
    case Intrinsic::ctpop:
      return Builder.CreateUnaryIntrinsic(Intrinsic::ctpop, promoted(Old.getArgOperand(0)));
    case Intrinsic::bswap:
    case Intrinsic::bitreverse:
      return reversed(II->getIntrinsicID(), Old.getArgOperand(0));
    case Intrinsic::fshl:
    case Intrinsic::fshr:
      return funnelShift(*II);
    case Intrinsic::uadd_sat:
    case Intrinsic::usub_sat:
    case Intrinsic::sadd_sat:
    case Intrinsic::ssub_sat:
      return saturated(*cast<SaturatingInst>(II));
    case Intrinsic::ctlz:
      return leadingZeros(Old.getArgOperand(0));
    case Intrinsic::cttz:
      return trailingZeros(Old.getArgOperand(0));
    default:
      llvm_unreachable("checkPromotable() accepts no other operations");
    }
  }

  /// Reverses in the wider integer, whose upper bits are then the result.
  Value *reversed(Intrinsic::ID ID, Value *V) {
    Value *Wide = Builder.CreateUnaryIntrinsic(ID, promoted(V));
    return Builder.CreateLShr(Wide, widthOf(Wide) - widthOf(V));
  }

  /// Shifts the concatenated operands and returns one half.
  Value *funnelShift(IntrinsicInst &Old) {
    unsigned Width = widthOf(&Old);
    Value *High = promoted(Old.getArgOperand(0)), *Low = promoted(Old.getArgOperand(1));
    Type *Ty = High->getType();
    Value *Size = ConstantInt::get(Ty, Width);
    Value *Amount = Builder.CreateURem(promoted(Old.getArgOperand(2)), Size);
    if (Old.getIntrinsicID() == Intrinsic::fshr)
      Amount = Builder.CreateSub(Size, Amount);
    // Both amounts are at most the width, which is less than that of the wider type.
    Value *Result = Builder.CreateOr(Builder.CreateShl(High, Amount),
                                     Builder.CreateLShr(Low, Builder.CreateSub(Size, Amount)));
    return masked(Result, Old.getType());
  }

  /// Computes in the wider type, which has at least one more bit.
  Value *saturated(SaturatingInst &Old) {
    unsigned Width = widthOf(&Old);
    auto Operand = [&](Value *V) { return Old.isSigned() ? signExtended(V) : promoted(V); };
    Value *Exact =
        Builder.CreateBinOp(Old.getBinaryOp(), Operand(Old.getLHS()), Operand(Old.getRHS()));
    auto Bounded = [&](Intrinsic::ID ID, Value *V, const APInt &Bound) {
      return Builder.CreateBinaryIntrinsic(ID, V, ConstantInt::get(V->getType(), Bound));
    };
    unsigned WideWidth = widthOf(Exact);
    // A sum may need all bits of the wider type. A difference may be negative.
    if (Old.getIntrinsicID() == Intrinsic::uadd_sat)
      return Bounded(Intrinsic::umin, Exact, APInt::getLowBitsSet(WideWidth, Width));
    APInt Min = Old.isSigned() ? APInt::getSignedMinValue(Width).sext(WideWidth)
                               : APInt::getZero(WideWidth);
    Value *Result = Bounded(Intrinsic::smax, Exact, Min);
    if (Old.isSigned())
      Result = Bounded(Intrinsic::smin, Result, APInt::getSignedMaxValue(Width).zext(WideWidth));
    return masked(Result, Old.getType());
  }

  Value *leadingZeros(Value *V) {
    Value *Wide = promoted(V);
    Value *Zeros = Builder.CreateBinaryIntrinsic(Intrinsic::ctlz, Wide, Builder.getFalse());
    return Builder.CreateSub(Zeros, ConstantInt::get(Wide->getType(), widthOf(Wide) - widthOf(V)));
  }

  Value *trailingZeros(Value *V) {
    Value *Wide = promoted(V);
    APInt EndBit = APInt::getOneBitSet(widthOf(Wide), widthOf(V));
    return Builder.CreateBinaryIntrinsic(
        Intrinsic::cttz, Builder.CreateOr(Wide, ConstantInt::get(Wide->getType(), EndBit)),
        Builder.getFalse());
  }
};

void maskParts(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *ZExt = dyn_cast<ZExtInst>(&I);
    auto *Trunc = ZExt ? dyn_cast<TruncInst>(ZExt->getOperand(0)) : nullptr;
    if (!Trunc)
      continue;
    IRBuilder<> Builder(ZExt);
    Value *All = Builder.CreateZExtOrTrunc(Trunc->getOperand(0), ZExt->getType());
    APInt Mask = APInt::getLowBitsSet(ZExt->getType()->getScalarSizeInBits(),
                                      Trunc->getType()->getScalarSizeInBits());
    ZExt->replaceAllUsesWith(Builder.CreateAnd(All, ConstantInt::get(ZExt->getType(), Mask)));
    ZExt->eraseFromParent();
  }
}

} // namespace

void promoteIntegers(ModuleHandle &Handle) {
  Handle.use("promoting integers", [](Module &M) -> Error {
    SmallVector<Function *> Functions = functionsWith(M, needsPromotion);
    for (Function *F : Functions) {
      removeUnreachableBlocks(*F);
      if (Error Err = checkPromotable(*F))
        return Err;
    }
    for (Function *F : Functions)
      Promotion(*F).run();
    return Error::success();
  });
}

void maskWidenedParts(ModuleHandle &Handle) {
  Handle.use("masking widened parts of integers", [](Module &M) {
    for (Function &F : M)
      maskParts(F);
  });
}

} // namespace dovetail
