#include "attributes.h"

#include "errors.h"
#include "module.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Attributes.h"
#include "llvm/Support/JSON.h"

namespace dovetail {

using namespace llvm;

namespace {

/// LLVM's own attribute of that name, or None for a string attribute.
Attribute::AttrKind knownKind(StringRef Key) {
  Attribute::AttrKind Kind = Attribute::getAttrKindFromName(Key);
  if (Kind != Attribute::None && !Attribute::isEnumAttrKind(Kind))
    throw IRError(("attribute '" + Key + "' has a value that is not a string").str());
  return Kind;
}

std::optional<std::string> valueIn(AttributeSet Attrs, StringRef Key) {
  Attribute::AttrKind Kind = knownKind(Key);
  if (Kind != Attribute::None)
    return Attrs.hasAttribute(Kind) ? std::optional<std::string>("") : std::nullopt;
  if (!Attrs.hasAttribute(Key))
    return std::nullopt;
  return readText(Attrs.getAttribute(Key).getValueAsString());
}

Attribute makeAttribute(LLVMContext &Context, StringRef Key, StringRef Val) {
  Attribute::AttrKind Kind = knownKind(Key);
  if (Kind == Attribute::None)
    return Attribute::get(Context, Key, Val);
  if (!Val.empty())
    throw IRError(("attribute '" + Key + "' takes no value").str());
  return Attribute::get(Context, Kind);
}

/// `attributes` after the changes.
AttributeSet changed(LLVMContext &Context, AttributeSet Attrs, const AttributeChanges &Changes) {
  AttrBuilder Builder(Context, Attrs);
  for (const auto &[Key, Val] : Changes) {
    if (Val)
      Builder.addAttribute(makeAttribute(Context, Key, *Val));
    else if (Attribute::AttrKind Kind = Attribute::getAttrKindFromName(Key);
             Kind != Attribute::None)
      Builder.removeAttribute(Kind);
    else
      Builder.removeAttribute(Key);
  }
  return AttributeSet::get(Context, Builder);
}

/// Whether a parameter has one of the attributes of which there can be only one.
bool saysHowItIsPassed(const Argument &Arg) {
  return Arg.hasPassPointeeByValueCopyAttr() || Arg.hasByRefAttr() || Arg.hasStructRetAttr() ||
         Arg.hasInRegAttr() || Arg.hasNestAttr();
}

Function &findParameterOwner(Module &M, const ParameterKey &Key) {
  Function &F = findFunction(M, Key.first);
  if (Key.second >= F.arg_size())
    throw IRError("function '" + Key.first + "' has no parameter " + std::to_string(Key.second));
  return F;
}

} // namespace

std::map<std::string, std::string> functionAttributes(ModuleHandle &Handle,
                                                      const std::string &Key) {
  return Handle.use("reading attributes", [&](const Module &M) {
    std::map<std::string, std::string> Values;
    for (const Function &F : M)
      if (auto Val = valueIn(F.getAttributes().getFnAttrs(), Key))
        Values.emplace(F.getName().str(), *Val);
    return Values;
  });
}

std::map<std::string, std::string> globalVariableAttributes(ModuleHandle &Handle,
                                                            const std::string &Key) {
  return Handle.use("reading attributes", [&](const Module &M) {
    std::map<std::string, std::string> Values;
    for (const GlobalVariable &Variable : M.globals())
      if (auto Val = valueIn(Variable.getAttributes(), Key))
        Values.emplace(Variable.getName().str(), *Val);
    return Values;
  });
}

std::map<ParameterKey, std::string> parameterAttributes(ModuleHandle &Handle,
                                                        const std::string &Key) {
  return Handle.use("reading attributes", [&](const Module &M) {
    std::map<ParameterKey, std::string> Values;
    for (const Function &F : M)
      for (unsigned Index = 0; Index < F.arg_size(); ++Index)
        if (auto Val = valueIn(F.getAttributes().getParamAttrs(Index), Key))
          Values.emplace(ParameterKey(F.getName().str(), Index), *Val);
    return Values;
  });
}

std::set<std::string> stringAttributeKeys(ModuleHandle &Handle) {
  return Handle.use("reading attributes", [](const Module &M) {
    std::set<std::string> Keys;
    auto AddKeys = [&](AttributeSet Attrs) {
      for (Attribute Attr : Attrs)
        if (Attr.isStringAttribute() && json::isUTF8(Attr.getKindAsString()))
          Keys.insert(Attr.getKindAsString().str());
    };
    // LLVM keeps each list once, and many functions share it.
    SmallPtrSet<void *, 16> Visited;
    for (const Function &F : M)
      if (AttributeList AttrList = F.getAttributes();
          Visited.insert(AttrList.getRawPointer()).second)
        for (AttributeSet Attrs : AttrList)
          AddKeys(Attrs);
    for (const GlobalVariable &Variable : M.globals())
      AddKeys(Variable.getAttributes());
    return Keys;
  });
}

void changeFunctionAttributes(Module &M, const FunctionAttributeChanges &Changes) {
  LLVMContext &Context = M.getContext();
  std::vector<std::pair<Function *, AttributeSet>> Plan;
  for (const auto &[Name, Wanted] : Changes) {
    Function &F = findFunction(M, Name);
    Plan.emplace_back(&F, changed(Context, F.getAttributes().getFnAttrs(), Wanted));
  }
  for (auto [F, Attrs] : Plan) {
    constexpr unsigned Index = AttributeList::FunctionIndex;
    AttributeList OtherAttrs = F->getAttributes().removeFnAttributes(Context);
    F->setAttributes(OtherAttrs.addAttributesAtIndex(Context, Index, AttrBuilder(Context, Attrs)));
  }
}

void setFunctionAttributes(ModuleHandle &Handle, const FunctionAttributeChanges &Changes) {
  Handle.use("writing attributes", [&](Module &M) { changeFunctionAttributes(M, Changes); });
}

void setGlobalVariableAttributes(ModuleHandle &Handle,
                                 const std::map<std::string, AttributeChanges> &Changes) {
  Handle.use("writing attributes", [&](Module &M) {
    std::vector<std::pair<GlobalVariable *, AttributeSet>> Plan;
    for (const auto &[Name, Wanted] : Changes) {
      GlobalVariable &Variable = findGlobalVariable(M, Name);
      Plan.emplace_back(&Variable, changed(M.getContext(), Variable.getAttributes(), Wanted));
    }
    for (auto [Variable, Attrs] : Plan)
      Variable->setAttributes(Attrs);
  });
}

void setParameterAttributes(ModuleHandle &Handle,
                            const std::map<ParameterKey, AttributeChanges> &Changes) {
  Handle.use("writing attributes", [&](Module &M) {
    LLVMContext &Context = M.getContext();
    std::vector<std::tuple<Function *, unsigned, AttributeSet>> Plan;
    for (const auto &[Key, Wanted] : Changes) {
      Function &F = findParameterOwner(M, Key);
      AttributeSet OldAttrs = F.getAttributes().getParamAttrs(Key.second);
      Plan.emplace_back(&F, Key.second, changed(Context, OldAttrs, Wanted));
    }
    for (auto [F, Index, Attrs] : Plan) {
      AttributeList OtherAttrs = F->getAttributes().removeParamAttributes(Context, Index);
      F->setAttributes(OtherAttrs.addParamAttributes(Context, Index, AttrBuilder(Context, Attrs)));
    }
  });
}

void setByteReferences(ModuleHandle &Handle, const std::vector<std::string> &Functions) {
  Handle.use("writing attributes", [&](Module &M) {
    std::vector<Function *> Found;
    for (const std::string &Name : Functions)
      Found.push_back(&findFunction(M, Name));
    Type *ByteTy = Type::getInt8Ty(M.getContext());
    for (Function *F : Found)
      for (Argument &Arg : F->args())
        if (Arg.getType()->isPointerTy() && !saysHowItIsPassed(Arg))
          Arg.addAttr(Attribute::getWithByRefType(M.getContext(), ByteTy));
  });
}

} // namespace dovetail
