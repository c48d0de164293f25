#include "initial_values.h"

#include "errors.h"
#include "module.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"

namespace dovetail {

using namespace llvm;

namespace {

/// Writes constants into bytes that start as zeros, in the order of devices and of the host alike:
/// the lowest byte first.
class ValueWriter {
public:
  ValueWriter(const DataLayout &layout, std::string &bytes) : layout(layout), bytes(bytes) {}

  /// False if the value has a part that is not known.
  bool write(const Constant &value, uint64_t place) {
    if (isa<UndefValue>(value) || value.isNullValue() ||
        isa<ConstantPointerNull>(value.stripPointerCasts()))
      return true;
    if (auto *number = dyn_cast<ConstantInt>(&value))
      return write(number->getValue(), place);
    if (auto *number = dyn_cast<ConstantFP>(&value))
      return write(number->getValueAPF().bitcastToAPInt(), place);
    if (auto *sequence = dyn_cast<ConstantDataSequential>(&value)) {
      uint64_t size = sequence->getElementByteSize();
      for (unsigned i = 0; i < sequence->getNumElements(); ++i)
        if (!write(*sequence->getElementAsConstant(i), place + i * size))
          return false;
      return true;
    }
    auto *aggregate = dyn_cast<ConstantAggregate>(&value);
    return aggregate && writeElements(*aggregate, place);
  }

private:
  bool write(const APInt &value, uint64_t place) {
    for (unsigned bit = 0; bit < value.getBitWidth(); bit += 8) {
      unsigned width = std::min(8u, value.getBitWidth() - bit);
      bytes[place++] = static_cast<char>(value.extractBitsAsZExtValue(width, bit));
    }
    return true;
  }

  bool writeElements(const ConstantAggregate &aggregate, uint64_t place) {
    auto *structure = dyn_cast<StructType>(aggregate.getType());
    for (unsigned i = 0; i < aggregate.getNumOperands(); ++i) {
      auto *element = cast<Constant>(aggregate.getOperand(i));
      uint64_t offset = structure ? layout.getStructLayout(structure)->getElementOffset(i)
                                  : i * layout.getTypeAllocSize(element->getType()).getFixedValue();
      if (!write(*element, place + offset))
        return false;
    }
    return true;
  }

  const DataLayout &layout;
  std::string &bytes;
};

/// As `initialBytes` says.
std::string bytesOf(llvm::Module &ir, GlobalVariable &variable) {
  if (!variable.hasInitializer())
    throw IRError(("'" + variable.getName() + "' is not defined here").str());
  const Constant &value = *variable.getInitializer();
  if (value.isNullValue() || isa<UndefValue>(value))
    return {};
  const DataLayout &layout = ir.getDataLayout();
  std::string bytes(layout.getTypeAllocSize(variable.getValueType()).getFixedValue(), '\0');
  if (!ValueWriter(layout, bytes).write(value, 0))
    throw IRError(("the initial value of '" + variable.getName() +
                   "' has bytes that are not known before a program runs")
                      .str());
  return bytes;
}

void replaceByBytes(llvm::Module &ir, GlobalVariable &variable, const std::string &bytes) {
  const DataLayout &layout = ir.getDataLayout();
  uint64_t size = layout.getTypeAllocSize(variable.getValueType()).getFixedValue();
  ArrayType *type = ArrayType::get(Type::getInt8Ty(ir.getContext()), size);
  Constant *value = bytes.empty()
                        ? Constant::getNullValue(type)
                        : ConstantDataArray::getString(ir.getContext(), bytes, /*AddNull=*/false);
  auto *made = new GlobalVariable(ir, type, variable.isConstant(), variable.getLinkage(), value, "",
                                  &variable, variable.getThreadLocalMode(),
                                  variable.getAddressSpace(), variable.isExternallyInitialized());
  made->copyAttributesFrom(&variable);
  made->setAlignment(variable.getAlign().value_or(layout.getABITypeAlign(variable.getValueType())));
  made->copyMetadata(&variable, 0);
  made->takeName(&variable);
  variable.replaceAllUsesWith(made);
  variable.eraseFromParent();
}

} // namespace

std::string initialBytes(ModuleHandle &module, const std::string &name) {
  return module.use("reading an initial value",
                    [&](llvm::Module &ir) { return bytesOf(ir, findGlobalVariable(ir, name)); });
}

void makeBytes(ModuleHandle &module, const std::vector<std::string> &names) {
  module.use("making variables bytes", [&](llvm::Module &ir) {
    std::vector<std::pair<GlobalVariable *, std::string>> plan;
    for (const std::string &name : names) {
      GlobalVariable &variable = findGlobalVariable(ir, name);
      plan.emplace_back(&variable, bytesOf(ir, variable));
    }
    for (auto &[variable, bytes] : plan)
      replaceByBytes(ir, *variable, bytes);
  });
}

} // namespace dovetail
