#include "field_copies.h"

#include "module.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace dovetail {

using namespace llvm;

namespace {

/// A scalar or vector in a copied range.
struct Field {
  Type *type;
  uint64_t offset;
};

using Fields = SmallVector<Field, 8>;

/// Adds the fields of a type in a range of its bytes; false if one is only partly in the range.
bool addFields(Type *type, uint64_t begin, uint64_t end, int64_t at, const DataLayout &layout,
               Fields &fields) {
  uint64_t size = layout.getTypeAllocSize(type);
  if (at >= int64_t(end) || at + int64_t(size) <= int64_t(begin))
    return true;
  if (auto *record = dyn_cast<StructType>(type)) {
    const StructLayout *places = layout.getStructLayout(record);
    for (unsigned each = 0; each != record->getNumElements(); ++each)
      if (!addFields(record->getElementType(each), begin, end, at + places->getElementOffset(each),
                     layout, fields))
        return false;
    return true;
  }
  if (auto *array = dyn_cast<ArrayType>(type)) {
    uint64_t stride = layout.getTypeAllocSize(array->getElementType());
    uint64_t first = at < int64_t(begin) ? (begin - at) / stride : 0;
    for (uint64_t each = first; each != array->getNumElements(); ++each) {
      int64_t place = at + int64_t(each * stride);
      if (place >= int64_t(end))
        return true;
      if (!addFields(array->getElementType(), begin, end, place, layout, fields))
        return false;
    }
    return true;
  }
  if (at < int64_t(begin) || at + layout.getTypeStoreSize(type) > end)
    return false;
  fields.push_back({type, at - begin});
  return true;
}

/// Adds integers for a range of bytes, each at a multiple of its size.
void addIntegers(uint64_t begin, uint64_t end, LLVMContext &context, Fields &fields) {
  while (begin != end) {
    uint64_t size = 1;
    while (begin % (2 * size) == 0 && begin + 2 * size <= end)
      size *= 2;
    fields.push_back({IntegerType::get(context, size * 8), begin});
    begin += size;
  }
}

/// Adds integers for the bytes between fields: unions keep other members there.
void addGaps(Fields &fields, uint64_t size, LLVMContext &context, const DataLayout &layout) {
  Fields all;
  uint64_t place = 0;
  for (const Field &field : fields) {
    addIntegers(place, field.offset, context, all);
    all.push_back(field);
    place = field.offset + layout.getTypeStoreSize(field.type);
  }
  addIntegers(place, size, context, all);
  fields = all;
}

/// The type that a pointer without constant offsets is known to point to; null if it is not known.
Type *pointee(Value *base) {
  if (auto *variable = dyn_cast<AllocaInst>(base))
    return variable->isArrayAllocation() ? nullptr : variable->getAllocatedType();
  if (auto *argument = dyn_cast<Argument>(base))
    return argument->hasStructRetAttr() ? argument->getParamStructRetType()
                                        : argument->getParamByValType();
  if (auto *address = dyn_cast<GetElementPtrInst>(base))
    return address->getResultElementType();
  return nullptr;
}

/// The fields in a number of bytes from a pointer on; none unless they are known and several.
Fields fieldsAt(Value *pointer, uint64_t size, const DataLayout &layout) {
  if (size != 2 && size != 4 && size != 8)
    return {};
  APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  Value *base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
  Type *type = pointee(base);
  Fields fields;
  if (!type || !type->isSized() || offset.isNegative() ||
      offset.getZExtValue() + size > layout.getTypeAllocSize(type) ||
      !addFields(type, offset.getZExtValue(), offset.getZExtValue() + size, 0, layout, fields) ||
      fields.empty())
    return {};
  addGaps(fields, size, pointer->getContext(), layout);
  return fields.size() < 2 ? Fields() : fields;
}

Value *fieldAddress(IRBuilder<> &builder, Value *pointer, const Field &field) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, field.offset);
}

Value *loadField(IRBuilder<> &builder, Value *pointer, Align align, const Field &field) {
  return builder.CreateAlignedLoad(field.type, fieldAddress(builder, pointer, field),
                                   commonAlignment(align, field.offset));
}

void storeField(IRBuilder<> &builder, Value *value, Value *pointer, Align align,
                const Field &field) {
  builder.CreateAlignedStore(value, fieldAddress(builder, pointer, field),
                             commonAlignment(align, field.offset));
}

void copyFields(LoadInst &load, ArrayRef<StoreInst *> stores, ArrayRef<Field> fields) {
  for (const Field &field : fields) {
    IRBuilder<> builder(&load);
    Value *value = loadField(builder, load.getPointerOperand(), load.getAlign(), field);
    for (StoreInst *store : stores) {
      builder.SetInsertPoint(store);
      storeField(builder, value, store->getPointerOperand(), store->getAlign(), field);
    }
  }
}

/// Copies what is loaded only to be stored.
void copyLoaded(LoadInst &load, const DataLayout &layout) {
  SmallVector<StoreInst *> stores;
  for (User *user : load.users()) {
    auto *store = dyn_cast<StoreInst>(user);
    if (!store || !store->isSimple() || store->getPointerOperand() == &load)
      return;
    stores.push_back(store);
  }
  uint64_t size = layout.getTypeStoreSize(load.getType());
  Fields fields = fieldsAt(load.getPointerOperand(), size, layout);
  for (StoreInst *store : stores)
    if (fields.empty())
      fields = fieldsAt(store->getPointerOperand(), size, layout);
  if (fields.empty())
    return;
  copyFields(load, stores, fields);
  for (StoreInst *store : stores)
    store->eraseFromParent();
  load.eraseFromParent();
}

/// The part of a number that a field holds; null if its type has no such constants.
Constant *partOf(const APInt &bits, const Field &field, const DataLayout &layout) {
  unsigned width = layout.getTypeStoreSizeInBits(field.type);
  APInt part = bits.extractBits(width, field.offset * 8);
  if (part.isZero())
    return Constant::getNullValue(field.type);
  if (field.type->isPointerTy() || layout.getTypeSizeInBits(field.type) != width)
    return nullptr;
  return ConstantExpr::getBitCast(ConstantInt::get(field.type->getContext(), part), field.type);
}

/// Stores a constant field by field.
void storeConstant(Instruction &store, Value *pointer, Align align, const APInt &bits,
                   const DataLayout &layout) {
  Fields fields = fieldsAt(pointer, bits.getBitWidth() / 8, layout);
  SmallVector<Constant *> values;
  for (const Field &field : fields)
    values.push_back(partOf(bits, field, layout));
  if (fields.empty() || is_contained(values, nullptr))
    return;
  IRBuilder<> builder(&store);
  for (auto [field, value] : zip_equal(fields, values))
    storeField(builder, value, pointer, align, field);
  store.eraseFromParent();
}

/// Copies or fills as a function of LLVM's does.
void expand(MemIntrinsic &call, const DataLayout &layout) {
  auto *length = dyn_cast<ConstantInt>(call.getLength());
  if (!length || call.isVolatile() || length->getValue().ugt(8))
    return;
  uint64_t size = length->getZExtValue();
  Align align = call.getDestAlign().valueOrOne();
  if (auto *fill = dyn_cast<MemSetInst>(&call)) {
    if (auto *byte = dyn_cast<ConstantInt>(fill->getValue()); byte && size)
      storeConstant(call, call.getDest(), align, APInt::getSplat(size * 8, byte->getValue()),
                    layout);
    return;
  }
  auto &transfer = cast<MemTransferInst>(call);
  Fields fields = fieldsAt(transfer.getSource(), size, layout);
  if (fields.empty())
    fields = fieldsAt(transfer.getDest(), size, layout);
  if (fields.empty())
    return;
  IRBuilder<> builder(&call);
  SmallVector<Value *> values;
  // All are read before any is written: the ranges of llvm.memmove may overlap.
  for (const Field &field : fields)
    values.push_back(
        loadField(builder, transfer.getSource(), transfer.getSourceAlign().valueOrOne(), field));
  for (auto [field, value] : zip_equal(fields, values))
    storeField(builder, value, transfer.getDest(), align, field);
  call.eraseFromParent();
}

void copyByFields(Function &function) {
  const DataLayout &layout = function.getDataLayout();
  SmallVector<LoadInst *> loads;
  SmallVector<StoreInst *> stores;
  SmallVector<MemIntrinsic *> calls;
  for (Instruction &instruction : instructions(function)) {
    if (auto *load = dyn_cast<LoadInst>(&instruction); load && load->isSimple())
      loads.push_back(load);
    else if (auto *store = dyn_cast<StoreInst>(&instruction); store && store->isSimple())
      stores.push_back(store);
    else if (auto *call = dyn_cast<MemIntrinsic>(&instruction))
      calls.push_back(call);
  }
  for (StoreInst *store : stores)
    if (auto *number = dyn_cast<ConstantInt>(store->getValueOperand());
        number && number->getBitWidth() % 8 == 0)
      storeConstant(*store, store->getPointerOperand(), store->getAlign(), number->getValue(),
                    layout);
  for (MemIntrinsic *call : calls)
    expand(*call, layout);
  for (LoadInst *load : loads)
    if (load->getType()->isIntegerTy())
      copyLoaded(*load, layout);
}

} // namespace

void copyByFields(ModuleHandle &module) {
  module.use("copying classes by fields", [](llvm::Module &ir) {
    for (Function &function : ir)
      copyByFields(function);
  });
}

} // namespace dovetail
