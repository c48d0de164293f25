#include "field_copies.h"

#include "module.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace dovetail {

using namespace llvm;

namespace {

/// A scalar or vector in a copied range.
struct FieldInfo {
  Type *Ty;
  uint64_t Offset;
};

using FieldVector = SmallVector<FieldInfo, 8>;

/// Adds the fields of a type that are in a range of its bytes. Returns false if a field is only
/// partly in the range.
bool addFields(Type *Ty, uint64_t Begin, uint64_t End, int64_t TypeOffset, const DataLayout &DL,
               FieldVector &Fields) {
  uint64_t Size = DL.getTypeAllocSize(Ty);
  if (TypeOffset >= int64_t(End) || TypeOffset + int64_t(Size) <= int64_t(Begin))
    return true;
  if (auto *STy = dyn_cast<StructType>(Ty)) {
    const StructLayout *SL = DL.getStructLayout(STy);
    for (unsigned Idx = 0; Idx != STy->getNumElements(); ++Idx) {
      int64_t ElementOffset = TypeOffset + int64_t(SL->getElementOffset(Idx).getFixedValue());
      if (!addFields(STy->getElementType(Idx), Begin, End, ElementOffset, DL, Fields))
        return false;
    }
    return true;
  }
  if (auto *ATy = dyn_cast<ArrayType>(Ty)) {
    uint64_t Stride = DL.getTypeAllocSize(ATy->getElementType());
    uint64_t First = TypeOffset < int64_t(Begin) ? (Begin - TypeOffset) / Stride : 0;
    for (uint64_t Idx = First; Idx != ATy->getNumElements(); ++Idx) {
      int64_t ElementOffset = TypeOffset + int64_t(Idx * Stride);
      if (ElementOffset >= int64_t(End))
        return true;
      if (!addFields(ATy->getElementType(), Begin, End, ElementOffset, DL, Fields))
        return false;
    }
    return true;
  }
  // Drivers lose elements of vectors of three where other accesses include the padding.
  if (auto *VTy = dyn_cast<FixedVectorType>(Ty); VTy && VTy->getNumElements() == 3)
    Ty = FixedVectorType::get(VTy->getElementType(), 4);
  if (TypeOffset < int64_t(Begin) || TypeOffset + DL.getTypeStoreSize(Ty) > End)
    return false;
  Fields.push_back({Ty, TypeOffset - Begin});
  return true;
}

/// Adds integers for a range of bytes, each at a multiple of its size.
void addIntegers(uint64_t Begin, uint64_t End, LLVMContext &Context, FieldVector &Fields) {
  while (Begin != End) {
    uint64_t Size = 1;
    while (Begin % (2 * Size) == 0 && Begin + 2 * Size <= End)
      Size *= 2;
    Fields.push_back({IntegerType::get(Context, Size * 8), Begin});
    Begin += Size;
  }
}

/// Adds integers for the bytes between fields, because unions can have other members there.
void addGaps(FieldVector &Fields, uint64_t Size, LLVMContext &Context, const DataLayout &DL) {
  FieldVector Filled;
  uint64_t Offset = 0;
  for (const FieldInfo &Field : Fields) {
    addIntegers(Offset, Field.Offset, Context, Filled);
    Filled.push_back(Field);
    Offset = Field.Offset + DL.getTypeStoreSize(Field.Ty);
  }
  addIntegers(Offset, Size, Context, Filled);
  Fields = Filled;
}

/// Returns the pointee type of a pointer without constant offsets, or null if it is unknown.
Type *pointee(Value *Base) {
  if (auto *Variable = dyn_cast<AllocaInst>(Base))
    return Variable->isArrayAllocation() ? nullptr : Variable->getAllocatedType();
  if (auto *Arg = dyn_cast<Argument>(Base))
    return Arg->hasStructRetAttr() ? Arg->getParamStructRetType() : Arg->getParamByValType();
  if (auto *GEP = dyn_cast<GetElementPtrInst>(Base))
    return GEP->getResultElementType();
  return nullptr;
}

/// Returns the fields in the `Size` bytes after a pointer, or nothing if they are unknown or fewer
/// than two.
FieldVector fieldsAt(Value *Pointer, uint64_t Size, const DataLayout &DL) {
  if (Size != 2 && Size != 4 && Size != 8)
    return {};
  APInt Offset(DL.getIndexTypeSizeInBits(Pointer->getType()), 0);
  Value *Base = Pointer->stripAndAccumulateConstantOffsets(DL, Offset, true);
  Type *Ty = pointee(Base);
  FieldVector Fields;
  if (!Ty || !Ty->isSized() || Offset.isNegative() ||
      Offset.getZExtValue() + Size > DL.getTypeAllocSize(Ty) ||
      !addFields(Ty, Offset.getZExtValue(), Offset.getZExtValue() + Size, 0, DL, Fields) ||
      Fields.empty())
    return {};
  addGaps(Fields, Size, Pointer->getContext(), DL);
  return Fields.size() < 2 ? FieldVector() : Fields;
}

Value *fieldAddress(IRBuilder<> &Builder, Value *Pointer, const FieldInfo &Field) {
  return Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(), Pointer, Field.Offset);
}

Value *loadField(IRBuilder<> &Builder, Value *Pointer, Align Alignment, const FieldInfo &Field) {
  return Builder.CreateAlignedLoad(Field.Ty, fieldAddress(Builder, Pointer, Field),
                                   commonAlignment(Alignment, Field.Offset));
}

void storeField(IRBuilder<> &Builder, Value *V, Value *Pointer, Align Alignment,
                const FieldInfo &Field) {
  Builder.CreateAlignedStore(V, fieldAddress(Builder, Pointer, Field),
                             commonAlignment(Alignment, Field.Offset));
}

void copyFields(LoadInst &Load, ArrayRef<StoreInst *> Stores, ArrayRef<FieldInfo> Fields) {
  for (const FieldInfo &Field : Fields) {
    IRBuilder<> Builder(&Load);
    Value *V = loadField(Builder, Load.getPointerOperand(), Load.getAlign(), Field);
    for (StoreInst *Store : Stores) {
      Builder.SetInsertPoint(Store);
      storeField(Builder, V, Store->getPointerOperand(), Store->getAlign(), Field);
    }
  }
}

/// Copies a loaded value field by field if it is only stored.
void copyLoaded(LoadInst &Load, const DataLayout &DL) {
  SmallVector<StoreInst *> Stores;
  for (User *U : Load.users()) {
    auto *Store = dyn_cast<StoreInst>(U);
    if (!Store || !Store->isSimple() || Store->getPointerOperand() == &Load)
      return;
    Stores.push_back(Store);
  }
  uint64_t Size = DL.getTypeStoreSize(Load.getType());
  FieldVector Fields = fieldsAt(Load.getPointerOperand(), Size, DL);
  for (StoreInst *Store : Stores)
    if (Fields.empty())
      Fields = fieldsAt(Store->getPointerOperand(), Size, DL);
  if (Fields.empty())
    return;
  copyFields(Load, Stores, Fields);
  for (StoreInst *Store : Stores)
    Store->eraseFromParent();
  Load.eraseFromParent();
}

/// Returns the part of `Bits` in a field as a constant, or null if its type has no such constants.
Constant *partOf(const APInt &Bits, const FieldInfo &Field, const DataLayout &DL) {
  unsigned Width = DL.getTypeStoreSizeInBits(Field.Ty);
  APInt Part = Bits.extractBits(Width, Field.Offset * 8);
  if (Part.isZero())
    return Constant::getNullValue(Field.Ty);
  if (Field.Ty->isPointerTy() || DL.getTypeSizeInBits(Field.Ty) != Width)
    return nullptr;
  return ConstantExpr::getBitCast(ConstantInt::get(Field.Ty->getContext(), Part), Field.Ty);
}

/// Stores a constant field by field.
void storeConstant(Instruction &Store, Value *Pointer, Align Alignment, const APInt &Bits,
                   const DataLayout &DL) {
  FieldVector Fields = fieldsAt(Pointer, Bits.getBitWidth() / 8, DL);
  SmallVector<Constant *> Values;
  for (const FieldInfo &Field : Fields)
    Values.push_back(partOf(Bits, Field, DL));
  if (Fields.empty() || is_contained(Values, nullptr))
    return;
  IRBuilder<> Builder(&Store);
  for (auto [Field, V] : zip_equal(Fields, Values))
    storeField(Builder, V, Pointer, Alignment, Field);
  Store.eraseFromParent();
}

/// Expands a memory intrinsic field by field.
void expand(MemIntrinsic &Call, const DataLayout &DL) {
  auto *Length = dyn_cast<ConstantInt>(Call.getLength());
  if (!Length || Call.isVolatile() || Length->getValue().ugt(8))
    return;
  uint64_t Size = Length->getZExtValue();
  Align Alignment = Call.getDestAlign().valueOrOne();
  if (auto *Fill = dyn_cast<MemSetInst>(&Call)) {
    if (auto *C = dyn_cast<ConstantInt>(Fill->getValue()); C && Size)
      storeConstant(Call, Call.getDest(), Alignment, APInt::getSplat(Size * 8, C->getValue()), DL);
    return;
  }
  auto &Transfer = cast<MemTransferInst>(Call);
  FieldVector Fields = fieldsAt(Transfer.getSource(), Size, DL);
  if (Fields.empty())
    Fields = fieldsAt(Transfer.getDest(), Size, DL);
  if (Fields.empty())
    return;
  IRBuilder<> Builder(&Call);
  SmallVector<Value *> Values;
  // All loads precede all stores, because the ranges of llvm.memmove may overlap.
  for (const FieldInfo &Field : Fields)
    Values.push_back(
        loadField(Builder, Transfer.getSource(), Transfer.getSourceAlign().valueOrOne(), Field));
  for (auto [Field, V] : zip_equal(Fields, Values))
    storeField(Builder, V, Transfer.getDest(), Alignment, Field);
  Call.eraseFromParent();
}

void copyByFields(Function &F) {
  const DataLayout &DL = F.getDataLayout();
  SmallVector<LoadInst *> Loads;
  SmallVector<StoreInst *> Stores;
  SmallVector<MemIntrinsic *> Calls;
  for (Instruction &I : instructions(F)) {
    if (auto *Load = dyn_cast<LoadInst>(&I); Load && Load->isSimple())
      Loads.push_back(Load);
    else if (auto *Store = dyn_cast<StoreInst>(&I); Store && Store->isSimple())
      Stores.push_back(Store);
    else if (auto *Call = dyn_cast<MemIntrinsic>(&I))
      Calls.push_back(Call);
  }
  for (StoreInst *Store : Stores)
    if (auto *C = dyn_cast<ConstantInt>(Store->getValueOperand()); C && C->getBitWidth() % 8 == 0)
      storeConstant(*Store, Store->getPointerOperand(), Store->getAlign(), C->getValue(), DL);
  for (MemIntrinsic *Call : Calls)
    expand(*Call, DL);
  for (LoadInst *Load : Loads)
    if (Load->getType()->isIntegerTy())
      copyLoaded(*Load, DL);
}

} // namespace

void copyByFields(ModuleHandle &Handle) {
  Handle.use("copying classes by fields", [](Module &M) {
    for (Function &F : M)
      copyByFields(F);
  });
}

} // namespace dovetail
