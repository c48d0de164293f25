#include "initial_values.h"

#include "errors.h"
#include "module.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"

namespace dovetail {

using namespace llvm;

static char byteAt(Constant &value, uint64_t offset, const DataLayout &layout,
                   const GlobalVariable &variable) {
  Type *type = Type::getInt8Ty(value.getContext());
  Constant *byte = ConstantFoldLoadFromConst(&value, type, APInt(64, offset), layout);
  if (auto *known = dyn_cast_or_null<ConstantInt>(byte))
    return static_cast<char>(known->getZExtValue());
  // Padding, mostly.
  if (byte && isa<UndefValue>(byte))
    return 0;
  throw IRError(("the initial value of '" + variable.getName() +
                 "' has bytes that are not known before a program runs")
                    .str());
}

std::string initialBytes(ModuleHandle &module, const std::string &name) {
  return module.use("reading an initial value", [&](llvm::Module &ir) {
    GlobalVariable &variable = findGlobalVariable(ir, name);
    if (!variable.hasInitializer())
      throw IRError("'" + name + "' is not defined here");
    Constant &value = *variable.getInitializer();
    std::string bytes;
    if (value.isNullValue() || isa<UndefValue>(value))
      return bytes;
    const DataLayout &layout = ir.getDataLayout();
    uint64_t size = layout.getTypeAllocSize(variable.getValueType()).getFixedValue();
    for (uint64_t offset = 0; offset < size; ++offset)
      bytes.push_back(byteAt(value, offset, layout, variable));
    return bytes;
  });
}

} // namespace dovetail
