#include "inventory.h"

#include "module.h"
#include "symbols.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/Support/raw_ostream.h"

namespace dovetail {

using namespace llvm;

namespace {

/// Prints each type once, because many functions share few types.
class TypeTexts {
public:
  const std::string &operator()(Type *Ty) {
    auto [Entry, IsNew] = Texts.try_emplace(Ty);
    if (IsNew) {
      raw_string_ostream OS(Entry->second);
      Ty->print(OS, /*IsForDebug=*/false, /*NoDetails=*/true);
    }
    return Entry->second;
  }

private:
  DenseMap<Type *, std::string> Texts;
};

FunctionRecord describe(const Function &F, TypeTexts &TypeText) {
  FunctionRecord Record{F.getName().str(),           F.isDeclaration(),
                        linkageName(F.getLinkage()), callingConventionName(F.getCallingConv()),
                        TypeText(F.getReturnType()), {}};
  for (Type *Ty : F.getFunctionType()->params())
    Record.ParameterTypes.push_back(TypeText(Ty));
  return Record;
}

GlobalVariableRecord describe(const GlobalVariable &Variable, TypeTexts &TypeText) {
  const DataLayout &DL = Variable.getDataLayout();
  Type *Ty = Variable.getValueType();
  // A declaration may have an opaque type, which has neither size nor alignment.
  bool IsSized = Ty->isSized();
  Align NaturalAlign = IsSized ? DL.getABITypeAlign(Ty) : Align(1);
  return {Variable.getName().str(),
          Variable.isDeclaration(),
          linkageName(Variable.getLinkage()),
          Variable.getAddressSpace(),
          TypeText(Ty),
          IsSized ? DL.getTypeAllocSize(Ty).getFixedValue() : 0,
          Variable.getAlign().value_or(NaturalAlign).value(),
          Variable.isConstant()};
}

} // namespace

std::vector<FunctionRecord> listFunctions(ModuleHandle &Handle) {
  return Handle.use("listing functions", [](const Module &M) {
    TypeTexts TypeText;
    std::vector<FunctionRecord> Records;
    for (const Function &F : M)
      Records.push_back(describe(F, TypeText));
    return Records;
  });
}

std::vector<GlobalVariableRecord> listGlobalVariables(ModuleHandle &Handle) {
  return Handle.use("listing global variables", [](const Module &M) {
    TypeTexts TypeText;
    std::vector<GlobalVariableRecord> Records;
    for (const GlobalVariable &Variable : M.globals())
      Records.push_back(describe(Variable, TypeText));
    return Records;
  });
}

} // namespace dovetail
