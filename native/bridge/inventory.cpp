#include "inventory.h"

#include "module.h"
#include "symbols.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/Support/raw_ostream.h"

namespace dovetail {

using namespace llvm;

namespace {

/// Prints each type once: thousands of functions share a handful of types.
class TypeTexts {
public:
  const std::string &operator()(Type *type) {
    auto [entry, isNew] = texts.try_emplace(type);
    if (isNew) {
      raw_string_ostream stream(entry->second);
      type->print(stream, /*IsForDebug=*/false, /*NoDetails=*/true);
    }
    return entry->second;
  }

private:
  DenseMap<Type *, std::string> texts;
};

FunctionRecord describe(const Function &function, TypeTexts &text) {
  FunctionRecord record{
      function.getName().str(),           function.isDeclaration(),
      linkageName(function.getLinkage()), callingConventionName(function.getCallingConv()),
      text(function.getReturnType()),     {}};
  for (Type *type : function.getFunctionType()->params())
    record.parameterTypes.push_back(text(type));
  return record;
}

GlobalVariableRecord describe(const GlobalVariable &variable, TypeTexts &text) {
  const DataLayout &layout = variable.getDataLayout();
  Type *type = variable.getValueType();
  // A declaration may have an opaque type, which has neither size nor alignment.
  bool isSized = type->isSized();
  Align natural = isSized ? layout.getABITypeAlign(type) : Align(1);
  return {variable.getName().str(),
          variable.isDeclaration(),
          linkageName(variable.getLinkage()),
          variable.getAddressSpace(),
          text(type),
          isSized ? layout.getTypeAllocSize(type).getFixedValue() : 0,
          variable.getAlign().value_or(natural).value(),
          variable.isConstant()};
}

} // namespace

std::vector<FunctionRecord> listFunctions(ModuleHandle &module) {
  return module.use("listing functions", [](const llvm::Module &ir) {
    TypeTexts text;
    std::vector<FunctionRecord> records;
    for (const Function &function : ir)
      records.push_back(describe(function, text));
    return records;
  });
}

std::vector<GlobalVariableRecord> listGlobalVariables(ModuleHandle &module) {
  return module.use("listing global variables", [](const llvm::Module &ir) {
    TypeTexts text;
    std::vector<GlobalVariableRecord> records;
    for (const GlobalVariable &variable : ir.globals())
      records.push_back(describe(variable, text));
    return records;
  });
}

} // namespace dovetail
