#include "integer_widths.h"

#include "errors.h"
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

constexpr unsigned widest = 64;

bool isSupportedWidth(unsigned width) {
  return width == 1 || (isPowerOf2_32(width) && width >= 8 && width <= widest);
}

/// Whether a type is an integer, or a vector of integers, of a width that SPIR-V lacks.
bool isOdd(const Type *type) {
  const auto *integer = dyn_cast<IntegerType>(type->getScalarType());
  return integer && !isSupportedWidth(integer->getBitWidth());
}

bool isBooleanVector(const Type *type) {
  return type->isVectorTy() && type->getScalarType()->isIntegerTy(1);
}

/// Whether bits are reinterpreted in a way that SPIR-V does not know.
bool isOddBitcast(const Instruction &instruction) {
  if (!isa<BitCastInst>(instruction))
    return false;
  Type *from = instruction.getOperand(0)->getType(), *to = instruction.getType();
  return isBooleanVector(from) != isBooleanVector(to);
}

bool concerns(const Instruction &instruction) {
  return isOdd(instruction.getType()) || isOddBitcast(instruction) ||
         any_of(instruction.operands(), [](const Use &use) { return isOdd(use->getType()); });
}

std::string textOf(const Value &value) {
  std::string text;
  raw_string_ostream stream(text);
  value.print(stream);
  return StringRef(text).trim().str();
}

/// The rewriting of one function.
class Promotion {
public:
  explicit Promotion(Function &function)
      : function(function), builder(function.getContext()), layout(function.getDataLayout()) {}

  void run() {
    for (const Argument &argument : function.args())
      requireSupported(argument.getType(), argument);
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
      for (Instruction &instruction : make_early_inc_range(*block))
        if (concerns(instruction))
          rewrite(instruction);
    for (auto [old, made] : phis)
      for (unsigned i = 0; i < old->getNumIncomingValues(); ++i)
        made->addIncoming(promoted(old->getIncomingValue(i)), old->getIncomingBlock(i));
    for (Instruction *old : replaced)
      old->dropAllReferences();
    for (Instruction *old : replaced)
      old->eraseFromParent();
  }

private:
  Function &function;
  IRBuilder<> builder;
  const DataLayout &layout;
  DenseMap<Value *, Value *> known;
  SmallVector<std::pair<PHINode *, PHINode *>> phis;
  SmallVector<Instruction *> replaced;

  [[noreturn]] void giveUp(const Value &value) const {
    throw IRError(("'" + function.getName() + "' has an integer of a width that SPIR-V lacks, in" +
                   " code that cannot do without: " + textOf(value))
                      .str());
  }

  void requireSupported(const Type *type, const Value &value) const {
    if (isOdd(type))
      giveUp(value);
  }

  static unsigned widthOf(const Value *value) { return value->getType()->getScalarSizeInBits(); }

  Type *wider(Type *type, const Value &value) const {
    unsigned width = type->getScalarSizeInBits();
    if (width > widest)
      giveUp(value);
    unsigned next = std::max<unsigned>(8, PowerOf2Ceil(width));
    return type->getWithNewBitWidth(next);
  }

  /// The value with its other bits zero; what has a width that SPIR-V knows as it is.
  Value *promoted(Value *value) {
    if (!isOdd(value->getType()))
      return value;
    if (auto found = known.find(value); found != known.end())
      return found->second;
    if (!isa<Constant>(value))
      giveUp(*value);
    return builder.CreateZExt(value, wider(value->getType(), *value));
  }

  /// The value with its other bits like its sign.
  Value *signExtended(Value *value) {
    Value *wide = promoted(value);
    unsigned unused = widthOf(wide) - widthOf(value);
    return unused ? builder.CreateAShr(builder.CreateShl(wide, unused), unused) : wide;
  }

  /// Of a wider value, those bits that a value of `type` has.
  Value *masked(Value *wide, const Type *type) {
    APInt mask = APInt::getLowBitsSet(widthOf(wide), type->getScalarSizeInBits());
    return builder.CreateAnd(wide, ConstantInt::get(wide->getType(), mask));
  }

  void rewrite(Instruction &old) {
    builder.SetInsertPoint(&old);
    Value *made = replacementFor(old);
    if (isOdd(old.getType()))
      known[&old] = made;
    else if (made)
      old.replaceAllUsesWith(made);
    replaced.push_back(&old);
  }

  Value *replacementFor(Instruction &old) {
    switch (old.getOpcode()) {
    case Instruction::PHI:
      return phi(cast<PHINode>(old));
    case Instruction::Load:
      return load(cast<LoadInst>(old));
    case Instruction::Store:
      return store(cast<StoreInst>(old));
    case Instruction::BitCast:
      return bitcast(cast<BitCastInst>(old));
    case Instruction::ICmp:
      return compare(cast<ICmpInst>(old));
    case Instruction::Switch:
      return chooseCase(cast<SwitchInst>(old));
    case Instruction::Call:
      return call(cast<CallInst>(old));
    case Instruction::GetElementPtr:
      return address(cast<GetElementPtrInst>(old));
    default:
      if (auto *operation = dyn_cast<BinaryOperator>(&old))
        return arithmetic(*operation);
      if (auto *conversion = dyn_cast<CastInst>(&old))
        return convert(*conversion);
      return sameOperation(old);
    }
  }

  /// Instructions that only hand values on.
  Value *sameOperation(Instruction &old) {
    switch (old.getOpcode()) {
    case Instruction::Select:
      return builder.CreateSelect(old.getOperand(0), promoted(old.getOperand(1)),
                                  promoted(old.getOperand(2)));
    case Instruction::Freeze:
      // What is frozen may have any bits, also where zeros have to be.
      return masked(builder.CreateFreeze(promoted(old.getOperand(0))), old.getType());
    case Instruction::ExtractElement:
      return builder.CreateExtractElement(promoted(old.getOperand(0)), promoted(old.getOperand(1)));
    case Instruction::InsertElement:
      return builder.CreateInsertElement(promoted(old.getOperand(0)), promoted(old.getOperand(1)),
                                         promoted(old.getOperand(2)));
    case Instruction::ShuffleVector:
      return builder.CreateShuffleVector(promoted(old.getOperand(0)), promoted(old.getOperand(1)),
                                         cast<ShuffleVectorInst>(old).getShuffleMask());
    default:
      giveUp(old);
    }
  }

  Value *phi(PHINode &old) {
    PHINode *made =
        builder.CreatePHI(wider(old.getType(), old), old.getNumIncomingValues(), old.getName());
    phis.push_back({&old, made});
    return made;
  }

  Value *arithmetic(BinaryOperator &old) {
    bool isSigned = old.getOpcode() == Instruction::AShr || old.getOpcode() == Instruction::SDiv ||
                    old.getOpcode() == Instruction::SRem;
    Value *left = isSigned ? signExtended(old.getOperand(0)) : promoted(old.getOperand(0));
    // The number of places to shift by has no sign.
    Value *right = isSigned && old.getOpcode() != Instruction::AShr
                       ? signExtended(old.getOperand(1))
                       : promoted(old.getOperand(1));
    return masked(builder.CreateBinOp(old.getOpcode(), left, right), old.getType());
  }

  Value *compare(ICmpInst &old) {
    auto operand = [&](unsigned i) {
      return old.isSigned() ? signExtended(old.getOperand(i)) : promoted(old.getOperand(i));
    };
    return builder.CreateICmp(old.getPredicate(), operand(0), operand(1));
  }

  Value *convert(CastInst &old) {
    Value *from = old.getOperand(0);
    Type *to = isOdd(old.getType()) ? wider(old.getType(), old) : old.getType();
    switch (old.getOpcode()) {
    case Instruction::Trunc:
    case Instruction::ZExt: {
      Value *made = builder.CreateZExtOrTrunc(promoted(from), to);
      return isOdd(old.getType()) ? masked(made, old.getType()) : made;
    }
    case Instruction::SExt: {
      Value *made = builder.CreateSExtOrTrunc(signExtended(from), to);
      return isOdd(old.getType()) ? masked(made, old.getType()) : made;
    }
    case Instruction::UIToFP:
      return builder.CreateUIToFP(promoted(from), to);
    case Instruction::SIToFP:
      return builder.CreateSIToFP(signExtended(from), to);
    case Instruction::FPToUI:
      return masked(builder.CreateFPToUI(from, to), old.getType());
    case Instruction::FPToSI:
      return masked(builder.CreateFPToSI(from, to), old.getType());
    case Instruction::PtrToInt:
      return masked(builder.CreatePtrToInt(from, to), old.getType());
    case Instruction::IntToPtr:
      return builder.CreateIntToPtr(promoted(from), to);
    default:
      giveUp(old);
    }
  }

  /// Bits as an integer, or as a vector; the first element has the lowest bits.
  Value *bitcast(BitCastInst &old) {
    Value *from = old.getOperand(0);
    if (isa<FixedVectorType>(from->getType()) && old.getType()->isIntegerTy())
      return joined(from, old);
    if (from->getType()->isIntegerTy() && isa<FixedVectorType>(old.getType()))
      return parted(from, old);
    giveUp(old);
  }

  Value *joined(Value *vector, BitCastInst &old) {
    Type *to = isOdd(old.getType()) ? wider(old.getType(), old) : old.getType();
    unsigned width = widthOf(vector);
    Value *elements = promoted(vector), *made = ConstantInt::get(to, 0);
    for (unsigned i = 0; i < cast<FixedVectorType>(vector->getType())->getNumElements(); ++i) {
      Value *element = builder.CreateZExtOrTrunc(builder.CreateExtractElement(elements, i), to);
      made = builder.CreateOr(made, builder.CreateShl(element, i * width));
    }
    return made;
  }

  Value *parted(Value *bits, BitCastInst &old) {
    Type *type = isOdd(old.getType()) ? wider(old.getType(), old) : old.getType();
    unsigned width = old.getType()->getScalarSizeInBits();
    Value *all = promoted(bits), *made = PoisonValue::get(type);
    for (unsigned i = 0; i < cast<FixedVectorType>(type)->getNumElements(); ++i) {
      Value *element =
          builder.CreateZExtOrTrunc(builder.CreateLShr(all, i * width), type->getScalarType());
      if (isOdd(old.getType()))
        element = masked(element, old.getType());
      made = builder.CreateInsertElement(made, element, i);
    }
    return made;
  }

  /// Calls `visit` for each part of an integer in memory: its type, and its place in bytes.
  template <class Visit> void forEachPart(Type *type, Visit visit) {
    uint64_t size = layout.getTypeStoreSize(type).getFixedValue();
    for (uint64_t offset = 0; offset < size;) {
      uint64_t part = std::min<uint64_t>(bit_floor(size - offset), widest / 8);
      visit(builder.getIntNTy(part * 8), offset);
      offset += part;
    }
  }

  Value *load(LoadInst &old) {
    if (!old.getType()->isIntegerTy())
      giveUp(old);
    Type *to = wider(old.getType(), old);
    Value *made = ConstantInt::get(to, 0);
    forEachPart(old.getType(), [&](Type *part, uint64_t offset) {
      Value *place =
          builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), old.getPointerOperand(), offset);
      LoadInst *read = builder.CreateAlignedLoad(
          part, place, commonAlignment(old.getAlign(), offset), old.isVolatile());
      made = builder.CreateOr(made, builder.CreateShl(builder.CreateZExt(read, to), offset * 8));
    });
    return masked(made, old.getType());
  }

  Value *store(StoreInst &old) {
    Type *type = old.getValueOperand()->getType();
    if (!type->isIntegerTy())
      giveUp(old);
    Value *value = promoted(old.getValueOperand());
    forEachPart(type, [&](Type *part, uint64_t offset) {
      Value *place =
          builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), old.getPointerOperand(), offset);
      Value *bits = builder.CreateTrunc(builder.CreateLShr(value, offset * 8), part);
      builder.CreateAlignedStore(bits, place, commonAlignment(old.getAlign(), offset),
                                 old.isVolatile());
    });
    return nullptr;
  }

  Value *chooseCase(SwitchInst &old) {
    Value *condition = promoted(old.getCondition());
    SwitchInst *made = builder.CreateSwitch(condition, old.getDefaultDest(), old.getNumCases());
    for (auto &each : old.cases())
      made->addCase(cast<ConstantInt>(promoted(each.getCaseValue())), each.getCaseSuccessor());
    made->copyMetadata(old);
    return nullptr;
  }

  Value *address(GetElementPtrInst &old) {
    SmallVector<Value *> indices;
    // Indices count from where the pointer points, in both directions.
    for (Use &index : old.indices())
      indices.push_back(signExtended(index));
    return builder.CreateGEP(old.getSourceElementType(), old.getPointerOperand(), indices,
                             old.getName(), old.getNoWrapFlags());
  }

  Value *call(CallInst &old) {
    auto *intrinsic = dyn_cast<IntrinsicInst>(&old);
    if (!intrinsic)
      giveUp(old);
    Type *type = old.getArgOperand(0)->getType();
    switch (intrinsic->getIntrinsicID()) {
    case Intrinsic::umin:
    case Intrinsic::umax:
      return builder.CreateBinaryIntrinsic(intrinsic->getIntrinsicID(),
                                           promoted(old.getArgOperand(0)),
                                           promoted(old.getArgOperand(1)));
    case Intrinsic::smin:
    case Intrinsic::smax:
      return masked(builder.CreateBinaryIntrinsic(intrinsic->getIntrinsicID(),
                                                  signExtended(old.getArgOperand(0)),
                                                  signExtended(old.getArgOperand(1))),
                    type);
    case Intrinsic::abs:
      return masked(builder.CreateBinaryIntrinsic(
                        Intrinsic::abs, signExtended(old.getArgOperand(0)), builder.getFalse()),
                    type);
    case Intrinsic::ctpop:
      return builder.CreateUnaryIntrinsic(Intrinsic::ctpop, promoted(old.getArgOperand(0)));
    case Intrinsic::bswap:
    case Intrinsic::bitreverse:
      return reversed(intrinsic->getIntrinsicID(), old.getArgOperand(0));
    case Intrinsic::fshl:
    case Intrinsic::fshr:
      return funnelShift(*intrinsic);
    case Intrinsic::uadd_sat:
    case Intrinsic::usub_sat:
    case Intrinsic::sadd_sat:
    case Intrinsic::ssub_sat:
      return saturated(*cast<SaturatingInst>(intrinsic));
    case Intrinsic::ctlz:
      return leadingZeros(old.getArgOperand(0));
    case Intrinsic::cttz:
      return trailingZeros(old.getArgOperand(0));
    default:
      giveUp(old);
    }
  }

  /// In the wider integer, the reversed bits come out at the upper end.
  Value *reversed(Intrinsic::ID operation, Value *value) {
    Value *wide = builder.CreateUnaryIntrinsic(operation, promoted(value));
    return builder.CreateLShr(wide, widthOf(wide) - widthOf(value));
  }

  /// The two operands one after the other, shifted, and one end of that.
  Value *funnelShift(IntrinsicInst &old) {
    unsigned width = widthOf(&old);
    Value *high = promoted(old.getArgOperand(0)), *low = promoted(old.getArgOperand(1));
    Type *type = high->getType();
    Value *size = ConstantInt::get(type, width);
    Value *by = builder.CreateURem(promoted(old.getArgOperand(2)), size);
    if (old.getIntrinsicID() == Intrinsic::fshr)
      by = builder.CreateSub(size, by);
    // Both shifts are by at most the width, which is less than that of the wider type.
    Value *made = builder.CreateOr(builder.CreateShl(high, by),
                                   builder.CreateLShr(low, builder.CreateSub(size, by)));
    return masked(made, old.getType());
  }

  /// The wider type has room for one more bit.
  Value *saturated(SaturatingInst &old) {
    unsigned width = widthOf(&old);
    auto operand = [&](Value *value) {
      return old.isSigned() ? signExtended(value) : promoted(value);
    };
    Value *exact =
        builder.CreateBinOp(old.getBinaryOp(), operand(old.getLHS()), operand(old.getRHS()));
    auto bounded = [&](Intrinsic::ID operation, Value *value, const APInt &bound) {
      return builder.CreateBinaryIntrinsic(operation, value,
                                           ConstantInt::get(value->getType(), bound));
    };
    unsigned wide = widthOf(exact);
    // A sum may take all bits of the wider type; a difference may be negative.
    if (old.getIntrinsicID() == Intrinsic::uadd_sat)
      return bounded(Intrinsic::umin, exact, APInt::getLowBitsSet(wide, width));
    APInt least =
        old.isSigned() ? APInt::getSignedMinValue(width).sext(wide) : APInt::getZero(wide);
    Value *made = bounded(Intrinsic::smax, exact, least);
    if (old.isSigned())
      made = bounded(Intrinsic::smin, made, APInt::getSignedMaxValue(width).zext(wide));
    return masked(made, old.getType());
  }

  Value *leadingZeros(Value *value) {
    Value *wide = promoted(value);
    Value *zeros = builder.CreateBinaryIntrinsic(Intrinsic::ctlz, wide, builder.getFalse());
    return builder.CreateSub(zeros,
                             ConstantInt::get(wide->getType(), widthOf(wide) - widthOf(value)));
  }

  Value *trailingZeros(Value *value) {
    Value *wide = promoted(value);
    APInt end = APInt::getOneBitSet(widthOf(wide), widthOf(value));
    return builder.CreateBinaryIntrinsic(
        Intrinsic::cttz, builder.CreateOr(wide, ConstantInt::get(wide->getType(), end)),
        builder.getFalse());
  }
};

void maskParts(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *wide = dyn_cast<ZExtInst>(&instruction);
    auto *part = wide ? dyn_cast<TruncInst>(wide->getOperand(0)) : nullptr;
    if (!part)
      continue;
    IRBuilder<> builder(wide);
    Value *all = builder.CreateZExtOrTrunc(part->getOperand(0), wide->getType());
    APInt mask = APInt::getLowBitsSet(wide->getType()->getScalarSizeInBits(),
                                      part->getType()->getScalarSizeInBits());
    wide->replaceAllUsesWith(builder.CreateAnd(all, ConstantInt::get(wide->getType(), mask)));
    wide->eraseFromParent();
  }
}

} // namespace

void promoteIntegers(ModuleHandle &module) {
  module.use("promoting integers", [](llvm::Module &ir) {
    for (Function *function : functionsWith(ir, concerns)) {
      removeUnreachableBlocks(*function);
      rewriteOrRestore(*function, [&] { Promotion(*function).run(); });
    }
  });
}

void maskWidenedParts(ModuleHandle &module) {
  module.use("masking widened parts of integers", [](llvm::Module &ir) {
    for (Function &function : ir)
      maskParts(function);
  });
}

} // namespace dovetail
