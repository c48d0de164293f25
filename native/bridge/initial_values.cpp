#include "initial_values.h"

#include "module.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"

namespace dovetail {

using namespace llvm;

namespace {

/// Writes constants into bytes that are initially zero, in little-endian order, which devices and
/// the host have in common.
class ValueWriter {
public:
  ValueWriter(const DataLayout &DL, std::string &Bytes) : DL(DL), Bytes(Bytes) {}

  /// Returns false if a part of the value is not known.
  bool write(const Constant &C, uint64_t Offset) {
    if (isa<UndefValue>(C) || C.isNullValue() || isa<ConstantPointerNull>(C.stripPointerCasts()))
      return true;
    if (auto *CI = dyn_cast<ConstantInt>(&C))
      return write(CI->getValue(), Offset);
    if (auto *CFP = dyn_cast<ConstantFP>(&C))
      return write(CFP->getValueAPF().bitcastToAPInt(), Offset);
    if (auto *CDS = dyn_cast<ConstantDataSequential>(&C)) {
      uint64_t Size = CDS->getElementByteSize();
      for (unsigned Idx = 0; Idx < CDS->getNumElements(); ++Idx)
        if (!write(*CDS->getElementAsConstant(Idx), Offset + Idx * Size))
          return false;
      return true;
    }
    auto *Aggregate = dyn_cast<ConstantAggregate>(&C);
    return Aggregate && writeElements(*Aggregate, Offset);
  }

private:
  bool write(const APInt &Val, uint64_t Offset) {
    for (unsigned Bit = 0; Bit < Val.getBitWidth(); Bit += 8) {
      unsigned Width = std::min(8u, Val.getBitWidth() - Bit);
      Bytes[Offset++] = static_cast<char>(Val.extractBitsAsZExtValue(Width, Bit));
    }
    return true;
  }

  bool writeElements(const ConstantAggregate &Aggregate, uint64_t Offset) {
    auto *STy = dyn_cast<StructType>(Aggregate.getType());
    for (unsigned Idx = 0; Idx < Aggregate.getNumOperands(); ++Idx) {
      auto *Element = cast<Constant>(Aggregate.getOperand(Idx));
      uint64_t ElementOffset = STy ? DL.getStructLayout(STy)->getElementOffset(Idx)
                                   : Idx * DL.getTypeAllocSize(Element->getType()).getFixedValue();
      if (!write(*Element, Offset + ElementOffset))
        return false;
    }
    return true;
  }

  const DataLayout &DL;
  std::string &Bytes;
};

Expected<std::string> bytesOf(const GlobalVariable &Variable) {
  if (!Variable.hasInitializer())
    return createStringError("'" + Variable.getName() + "' is not defined here");
  const Constant &C = *Variable.getInitializer();
  return C.isNullValue() || isa<UndefValue>(C) ? std::string() : initialBytesOf(Variable);
}

void replaceByBytes(Module &M, GlobalVariable &Variable, const std::string &Bytes) {
  const DataLayout &DL = M.getDataLayout();
  uint64_t Size = DL.getTypeAllocSize(Variable.getValueType()).getFixedValue();
  ArrayType *ArrayTy = ArrayType::get(Type::getInt8Ty(M.getContext()), Size);
  Constant *C = Bytes.empty()
                    ? Constant::getNullValue(ArrayTy)
                    : ConstantDataArray::getString(M.getContext(), Bytes, /*AddNull=*/false);
  auto *New = new GlobalVariable(M, ArrayTy, Variable.isConstant(), Variable.getLinkage(), C, "",
                                 &Variable, Variable.getThreadLocalMode(),
                                 Variable.getAddressSpace(), Variable.isExternallyInitialized());
  New->copyAttributesFrom(&Variable);
  New->setAlignment(Variable.getAlign().value_or(DL.getABITypeAlign(Variable.getValueType())));
  New->copyMetadata(&Variable, 0);
  New->takeName(&Variable);
  Variable.replaceAllUsesWith(New);
  Variable.eraseFromParent();
}

} // namespace

Expected<std::string> initialBytesOf(const GlobalVariable &Variable) {
  const DataLayout &DL = Variable.getDataLayout();
  std::string Bytes(DL.getTypeAllocSize(Variable.getValueType()).getFixedValue(), '\0');
  if (!ValueWriter(DL, Bytes).write(*Variable.getInitializer(), 0))
    return createStringError("the initial value of '" + Variable.getName() +
                             "' has bytes that are not known before a program runs");
  return Bytes;
}

std::string initialBytes(ModuleHandle &Handle, const std::string &Name) {
  return Handle.use("reading an initial value", [&](Module &M) -> Expected<std::string> {
    Expected<GlobalVariable &> Variable = findGlobalVariable(M, Name);
    if (!Variable)
      return Variable.takeError();
    return bytesOf(*Variable);
  });
}

void makeBytes(ModuleHandle &Handle, const std::vector<std::string> &Names) {
  Handle.use("converting variables to bytes", [&](Module &M) -> Error {
    std::vector<std::pair<GlobalVariable *, std::string>> Plan;
    for (const std::string &Name : Names) {
      Expected<GlobalVariable &> Variable = findGlobalVariable(M, Name);
      if (!Variable)
        return Variable.takeError();
      Expected<std::string> Bytes = bytesOf(*Variable);
      if (!Bytes)
        return Bytes.takeError();
      Plan.emplace_back(&*Variable, std::move(*Bytes));
    }
    for (auto &[Variable, Bytes] : Plan)
      replaceByBytes(M, *Variable, Bytes);
    return Error::success();
  });
}

} // namespace dovetail
