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

constexpr unsigned limbBits = 64;

unsigned widthOf(const Type *type) { return type->getScalarSizeInBits(); }

/// Whether a type is an integer, or a vector of integers, of more than 64 bits.
bool isWide(const Type *type) {
  return type->getScalarType()->isIntegerTy() && widthOf(type) > limbBits;
}

/// Whether there are such integers in a type.
bool hasWide(Type *type) { return isWide(type) || any_of(type->subtypes(), hasWide); }

/// Has variables with such integers be bytes, and addresses in them be computed in bytes.
void useBytes(Function &function) {
  const DataLayout &layout = function.getDataLayout();
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    IRBuilder<> builder(&instruction);
    if (auto *variable = dyn_cast<AllocaInst>(&instruction)) {
      Type *type = variable->getAllocatedType();
      if (hasWide(type))
        variable->setAllocatedType(
            ArrayType::get(builder.getInt8Ty(), layout.getTypeAllocSize(type).getFixedValue()));
    } else if (auto *address = dyn_cast<GetElementPtrInst>(&instruction);
               address && hasWide(address->getSourceElementType())) {
      Value *offset = emitGEPOffset(&builder, layout, address);
      address->replaceAllUsesWith(builder.CreateGEP(builder.getInt8Ty(),
                                                    address->getPointerOperand(), offset, "",
                                                    address->getNoWrapFlags()));
      address->eraseFromParent();
    }
  }
}

bool concerns(const Instruction &instruction) {
  return isWide(instruction.getType()) ||
         any_of(instruction.operands(), [](const Use &use) { return isWide(use->getType()); });
}

unsigned lengthOf(const Type *type) {
  const auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

/// An integer as its parts of 64 bits, the lowest first. Bits that it does not have are zero.
using Limbs = SmallVector<Value *, 4>;
/// The elements of a vector; a number is one.
using Elements = SmallVector<Limbs, 1>;

/// The rewriting of one function.
class Splitting {
public:
  explicit Splitting(Function &function)
      : function(function),
        builder(function.getContext(), InstSimplifyFolder(function.getDataLayout())) {}

  void run() {
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
      for (Instruction &instruction : make_early_inc_range(*block))
        if (concerns(instruction))
          rewrite(instruction);
    for (PHINode *old : phis)
      complete(*old);
    for (Instruction *old : replaced)
      old->dropAllReferences();
    for (Instruction *old : replaced)
      old->eraseFromParent();
  }

private:
  Function &function;
  IRBuilder<InstSimplifyFolder> builder;
  DenseMap<Value *, Elements> known;
  SmallVector<PHINode *> phis;
  SmallVector<Instruction *> replaced;

  [[noreturn]] void giveUp(const Value &value) const {
    std::string text;
    raw_string_ostream stream(text);
    value.print(stream);
    throw IRError(("'" + function.getName() + "' computes with integers of more than 64 bits, " +
                   "which devices do not have: " + StringRef(text).trim())
                      .str());
  }

  Value *limb(uint64_t value) { return builder.getInt64(value); }

  Elements elementsOf(Value *value) {
    if (auto found = known.find(value); found != known.end())
      return found->second;
    auto *constant = dyn_cast<Constant>(value);
    if (!constant || isa<ConstantExpr>(constant))
      giveUp(*value);
    Elements elements;
    for (unsigned i = 0; i < lengthOf(value->getType()); ++i)
      elements.push_back(
          limbsOf(value->getType()->isVectorTy() ? constant->getAggregateElement(i) : constant));
    return elements;
  }

  Limbs limbsOf(Constant *constant) {
    Limbs limbs;
    unsigned width = widthOf(constant->getType());
    // What is undefined may be zero.
    const auto *integer = dyn_cast<ConstantInt>(constant);
    APInt value = integer ? integer->getValue() : APInt::getZero(width);
    for (unsigned at = 0; at < width; at += limbBits)
      limbs.push_back(limb(value.extractBitsAsZExtValue(std::min(limbBits, width - at), at)));
    return limbs;
  }

  Limbs limbsOf(Value *number) { return elementsOf(number).front(); }

  /// Limbs without bits beyond a width, and as many of them as it takes.
  Limbs fitted(Limbs limbs, unsigned width) {
    limbs.resize(divideCeil(width, limbBits), limb(0));
    if (unsigned rest = width % limbBits)
      limbs.back() = builder.CreateAnd(limbs.back(), maskTrailingOnes<uint64_t>(rest));
    return limbs;
  }

  /// Limbs of an integer of one width as those of a wider one with the same sign.
  Limbs signExtended(Limbs limbs, unsigned from, unsigned to) {
    if (unsigned unused = limbs.size() * limbBits - from)
      limbs.back() = builder.CreateAShr(builder.CreateShl(limbs.back(), unused), unused);
    Value *sign = builder.CreateAShr(limbs.back(), limbBits - 1);
    limbs.resize(divideCeil(to, limbBits), sign);
    return fitted(limbs, to);
  }

  /// An element of at most 64 bits, of any type that has bits, as a limb.
  Value *limbOf(Value *element, const Value &user) {
    Type *type = element->getType();
    if (!type->isIntegerTy() && !type->isFloatingPointTy())
      giveUp(user);
    Value *bits = builder.CreateBitCast(element, builder.getIntNTy(widthOf(type)));
    return builder.CreateZExt(bits, builder.getInt64Ty());
  }

  Value *fromLimb(Value *value, Type *type) {
    return builder.CreateBitCast(builder.CreateTrunc(value, builder.getIntNTy(widthOf(type))),
                                 type);
  }

  /// The elements of a value, also of one that is not wide.
  Elements anyElementsOf(Value *value, const Value &user) {
    if (isWide(value->getType()))
      return elementsOf(value);
    if (widthOf(value->getType()) > limbBits)
      giveUp(user);
    Elements elements;
    if (!value->getType()->isVectorTy())
      return {{limbOf(value, user)}};
    for (unsigned i = 0; i < lengthOf(value->getType()); ++i)
      elements.push_back({limbOf(builder.CreateExtractElement(value, i), user)});
    return elements;
  }

  /// Elements as a value of a type that is not wide.
  Value *assembled(const Elements &elements, Type *type) {
    if (!type->isVectorTy())
      return fromLimb(elements.front().front(), type);
    Value *vector = PoisonValue::get(type);
    for (auto [i, element] : enumerate(elements))
      vector =
          builder.CreateInsertElement(vector, fromLimb(element.front(), type->getScalarType()), i);
    return vector;
  }

  /// Remembers what has become of an instruction.
  void becomes(Instruction &old, const Elements &elements) {
    if (isWide(old.getType()))
      known[&old] = elements;
    else
      old.replaceAllUsesWith(assembled(elements, old.getType()));
  }

  template <class Operation> Elements forEachElement(const Elements &elements, Operation each) {
    Elements made;
    for (const Limbs &limbs : elements)
      made.push_back(each(limbs));
    return made;
  }

  void rewrite(Instruction &old) {
    builder.SetInsertPoint(&old);
    replaced.push_back(&old);
    if (auto *operation = dyn_cast<BinaryOperator>(&old))
      return arithmetic(*operation);
    switch (old.getOpcode()) {
    case Instruction::PHI:
      return phi(cast<PHINode>(old));
    case Instruction::Trunc:
    case Instruction::ZExt:
    case Instruction::SExt:
      return resize(cast<CastInst>(old));
    case Instruction::BitCast:
      return reinterpret(cast<BitCastInst>(old));
    case Instruction::Freeze:
      return becomes(old, forEachElement(elementsOf(old.getOperand(0)), [&](Limbs limbs) {
                       for (Value *&each : limbs)
                         each = builder.CreateFreeze(each);
                       return fitted(limbs, widthOf(old.getType()));
                     }));
    case Instruction::Select:
      return select(cast<SelectInst>(old));
    case Instruction::ICmp:
      return compare(cast<ICmpInst>(old));
    case Instruction::ExtractElement:
    case Instruction::InsertElement:
    case Instruction::ShuffleVector:
      return rearrange(old);
    case Instruction::Load:
      return load(cast<LoadInst>(old));
    case Instruction::Store:
      return store(cast<StoreInst>(old));
    default:
      giveUp(old);
    }
  }

  void phi(PHINode &old) {
    Elements elements;
    for (unsigned i = 0; i < lengthOf(old.getType()); ++i) {
      Limbs limbs;
      for (unsigned at = 0; at < widthOf(old.getType()); at += limbBits)
        limbs.push_back(builder.CreatePHI(builder.getInt64Ty(), old.getNumIncomingValues()));
      elements.push_back(limbs);
    }
    phis.push_back(&old);
    known[&old] = elements;
  }

  void complete(PHINode &old) {
    Elements made = elementsOf(&old);
    for (unsigned i = 0; i < old.getNumIncomingValues(); ++i) {
      Elements incoming = elementsOf(old.getIncomingValue(i));
      for (auto [phis, values] : zip_equal(made, incoming))
        for (auto [each, value] : zip_equal(phis, values))
          cast<PHINode>(each)->addIncoming(value, old.getIncomingBlock(i));
    }
  }

  void resize(CastInst &old) {
    unsigned from = widthOf(old.getSrcTy()), to = widthOf(old.getDestTy());
    bool isSigned = old.getOpcode() == Instruction::SExt;
    becomes(old, forEachElement(anyElementsOf(old.getOperand(0), old), [&](Limbs limbs) {
              return isSigned ? signExtended(limbs, from, to) : fitted(limbs, to);
            }));
  }

  /// All bits of a value in a row, then parts of them.
  void reinterpret(BitCastInst &old) {
    Type *from = old.getSrcTy(), *to = old.getDestTy();
    unsigned total = lengthOf(from) * widthOf(from);
    Limbs bits(divideCeil(total, limbBits), limb(0));
    for (auto [i, element] : enumerate(anyElementsOf(old.getOperand(0), old)))
      bits = bitwise(Instruction::Or, bits, shiftedLeft(element, i * widthOf(from), bits.size()));
    Elements elements;
    for (unsigned i = 0; i < lengthOf(to); ++i)
      elements.push_back(fitted(shiftedRight(bits, i * widthOf(to), limb(0)), widthOf(to)));
    becomes(old, elements);
  }

  Limbs bitwise(Instruction::BinaryOps operation, const Limbs &left, const Limbs &right) {
    Limbs made;
    for (auto [a, b] : zip_equal(left, right))
      made.push_back(builder.CreateBinOp(operation, a, b));
    return made;
  }

  /// Shifted by a constant, cut off after `count` limbs.
  Limbs shiftedLeft(const Limbs &limbs, unsigned by, size_t count) {
    unsigned whole = by / limbBits, rest = by % limbBits;
    auto at = [&](size_t i) { return i < limbs.size() ? limbs[i] : limb(0); };
    Limbs made;
    for (size_t i = 0; i < count; ++i) {
      Value *bits = i < whole ? limb(0) : builder.CreateShl(at(i - whole), rest);
      if (rest && i > whole)
        bits = builder.CreateOr(bits, builder.CreateLShr(at(i - whole - 1), limbBits - rest));
      made.push_back(bits);
    }
    return made;
  }

  /// Shifted by a constant; what comes in at the upper end is `fill`.
  Limbs shiftedRight(const Limbs &limbs, unsigned by, Value *fill) {
    unsigned whole = by / limbBits, rest = by % limbBits;
    auto at = [&](size_t i) { return i < limbs.size() ? limbs[i] : fill; };
    Limbs made;
    for (size_t i = 0; i < limbs.size(); ++i) {
      Value *bits = builder.CreateLShr(at(i + whole), rest);
      if (rest)
        bits = builder.CreateOr(bits, builder.CreateShl(at(i + whole + 1), limbBits - rest));
      made.push_back(bits);
    }
    return made;
  }

  Limbs selected(Value *condition, const Limbs &left, const Limbs &right) {
    Limbs made;
    for (auto [a, b] : zip_equal(left, right))
      made.push_back(builder.CreateSelect(condition, a, b));
    return made;
  }

  /// By a number that is not known: by 1, 2, 4 and so on, or not.
  Limbs shifted(Instruction::BinaryOps operation, Limbs limbs, const Limbs &by, unsigned width) {
    Value *fill = limb(0);
    if (operation == Instruction::AShr) {
      limbs = signExtended(limbs, width, limbs.size() * limbBits);
      fill = builder.CreateAShr(limbs.back(), limbBits - 1);
    }
    for (unsigned step = 1; step < width; step *= 2) {
      Value *isSet = builder.CreateICmpNE(builder.CreateAnd(by.front(), step), limb(0));
      Limbs moved = operation == Instruction::Shl ? shiftedLeft(limbs, step, limbs.size())
                                                  : shiftedRight(limbs, step, fill);
      limbs = selected(isSet, moved, limbs);
    }
    return fitted(limbs, width);
  }

  Limbs sum(const Limbs &left, const Limbs &right, Value *carry) {
    Limbs made;
    for (auto [a, b] : zip_equal(left, right)) {
      Value *part = builder.CreateAdd(a, b), *all = builder.CreateAdd(part, carry);
      Value *overflows =
          builder.CreateOr(builder.CreateICmpULT(part, a), builder.CreateICmpULT(all, part));
      carry = builder.CreateZExt(overflows, builder.getInt64Ty());
      made.push_back(all);
    }
    return made;
  }

  Limbs inverted(const Limbs &limbs) {
    Limbs made;
    for (Value *each : limbs)
      made.push_back(builder.CreateNot(each));
    return made;
  }

  Limbs computed(BinaryOperator &old, const Limbs &left, const Limbs &right) {
    unsigned width = widthOf(old.getType());
    switch (old.getOpcode()) {
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
      return bitwise(old.getOpcode(), left, right);
    case Instruction::Add:
      return fitted(sum(left, right, limb(0)), width);
    case Instruction::Sub:
      return fitted(sum(left, inverted(right), limb(1)), width);
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      return shifted(old.getOpcode(), left, right, width);
    default:
      giveUp(old);
    }
  }

  void arithmetic(BinaryOperator &old) {
    Elements made;
    for (auto [left, right] :
         zip_equal(elementsOf(old.getOperand(0)), elementsOf(old.getOperand(1))))
      made.push_back(computed(old, left, right));
    becomes(old, made);
  }

  void select(SelectInst &old) {
    if (old.getCondition()->getType()->isVectorTy())
      giveUp(old);
    Elements made;
    for (auto [left, right] :
         zip_equal(elementsOf(old.getTrueValue()), elementsOf(old.getFalseValue())))
      made.push_back(selected(old.getCondition(), left, right));
    becomes(old, made);
  }

  Value *isLess(const Limbs &left, const Limbs &right, bool isSigned) {
    Value *less = builder.getFalse();
    for (auto [i, a, b] : enumerate(left, right)) {
      bool isTop = i + 1 == left.size();
      Value *here = isSigned && isTop ? builder.CreateICmpSLT(a, b) : builder.CreateICmpULT(a, b);
      less = builder.CreateSelect(builder.CreateICmpEQ(a, b), less, here);
    }
    return less;
  }

  void compare(ICmpInst &old) {
    if (old.getType()->isVectorTy())
      giveUp(old);
    Limbs left = limbsOf(old.getOperand(0)), right = limbsOf(old.getOperand(1));
    if (old.isEquality()) {
      Value *difference = limb(0);
      for (Value *each : bitwise(Instruction::Xor, left, right))
        difference = builder.CreateOr(difference, each);
      return old.replaceAllUsesWith(builder.CreateICmp(old.getPredicate(), difference, limb(0)));
    }
    if (old.isSigned())
      for (Limbs *limbs : {&left, &right})
        *limbs =
            signExtended(*limbs, widthOf(old.getOperand(0)->getType()), limbs->size() * limbBits);
    // a > b is b < a, and a <= b is not that.
    ICmpInst::Predicate predicate = old.getStrictPredicate();
    bool isGreater = ICmpInst::isGT(old.getPredicate()) || ICmpInst::isLE(old.getPredicate());
    bool isStrict = predicate == old.getPredicate();
    Value *less =
        isGreater ? isLess(right, left, old.isSigned()) : isLess(left, right, old.isSigned());
    old.replaceAllUsesWith(isStrict ? less : builder.CreateNot(less));
  }

  unsigned constantIndex(const Instruction &user, const Value *index, unsigned length) const {
    const auto *constant = dyn_cast<ConstantInt>(index);
    if (!constant || constant->getValue().uge(length))
      giveUp(user);
    return constant->getZExtValue();
  }

  void rearrange(Instruction &old) {
    Elements elements = elementsOf(old.getOperand(0));
    if (isa<ExtractElementInst>(old))
      return becomes(old, {elements[constantIndex(old, old.getOperand(1), elements.size())]});
    if (isa<InsertElementInst>(old)) {
      elements[constantIndex(old, old.getOperand(2), elements.size())] = limbsOf(old.getOperand(1));
      return becomes(old, elements);
    }
    append_range(elements, elementsOf(old.getOperand(1)));
    Elements made;
    for (int i : cast<ShuffleVectorInst>(old).getShuffleMask())
      made.push_back(elements[std::max(i, 0)]);
    becomes(old, made);
  }

  /// Calls `visit` with the bytes of each part of each element in memory, and the part's width.
  template <class Visit> void forEachPart(Type *type, Value *pointer, Align align, Visit visit) {
    unsigned width = widthOf(type), bytes = divideCeil(width, 8);
    for (unsigned element = 0; element < lengthOf(type); ++element)
      for (unsigned at = 0; at < bytes; at += limbBits / 8) {
        unsigned size = std::min(limbBits / 8, bytes - at), offset = element * bytes + at;
        Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, offset);
        visit(element, at * 8 / limbBits, builder.getIntNTy(size * 8), place,
              commonAlignment(align, offset));
      }
  }

  /// In vectors, elements that are not whole bytes lie without gaps.
  void requireWholeBytes(Type *type, const Instruction &user) const {
    if (type->isVectorTy() && widthOf(type) % 8)
      giveUp(user);
  }

  void load(LoadInst &old) {
    Type *type = old.getType();
    requireWholeBytes(type, old);
    Elements elements(lengthOf(type), Limbs(divideCeil(widthOf(type), limbBits)));
    forEachPart(type, old.getPointerOperand(), old.getAlign(),
                [&](unsigned element, unsigned at, Type *part, Value *place, Align align) {
                  Value *read = builder.CreateAlignedLoad(part, place, align, old.isVolatile());
                  elements[element][at] = builder.CreateZExt(read, builder.getInt64Ty());
                });
    becomes(old,
            forEachElement(elements, [&](Limbs limbs) { return fitted(limbs, widthOf(type)); }));
  }

  void store(StoreInst &old) {
    Type *type = old.getValueOperand()->getType();
    requireWholeBytes(type, old);
    Elements elements = elementsOf(old.getValueOperand());
    forEachPart(type, old.getPointerOperand(), old.getAlign(),
                [&](unsigned element, unsigned at, Type *part, Value *place, Align align) {
                  builder.CreateAlignedStore(builder.CreateTrunc(elements[element][at], part),
                                             place, align, old.isVolatile());
                });
  }
};

} // namespace

void splitWideIntegers(ModuleHandle &module) {
  module.use("splitting wide integers", [](llvm::Module &ir) {
    for (Function *function : functionsWith(ir, concerns)) {
      removeUnreachableBlocks(*function);
      rewriteOrRestore(*function, [&] { Splitting(*function).run(); });
    }
    for (Function &function : ir)
      useBytes(function);
  });
}

} // namespace dovetail
