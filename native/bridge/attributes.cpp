#include "attributes.h"

#include "module.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Attributes.h"
#include "llvm/Support/JSON.h"

namespace dovetail {

using namespace llvm;

namespace {

/// Returns LLVM's enum attribute of that name, or None for a string attribute.
Expected<Attribute::AttrKind> parseKind(StringRef Key) {
  Attribute::AttrKind Kind = Attribute::getAttrKindFromName(Key);
  if (Kind != Attribute::None && !Attribute::isEnumAttrKind(Kind))
    return createStringError("attribute '" + Key + "' has a value that is not a string");
  return Kind;
}

/// Returns the value of an attribute, whose kind is None if it is a string attribute.
Expected<std::optional<std::string>> valueIn(AttributeSet Attrs, StringRef Key,
                                             Attribute::AttrKind Kind) {
  if (Kind != Attribute::None)
    return Attrs.hasAttribute(Kind) ? std::optional<std::string>("") : std::nullopt;
  if (!Attrs.hasAttribute(Key))
    return std::nullopt;
  return readText(Attrs.getAttribute(Key).getValueAsString());
}

Expected<Attribute> makeAttribute(LLVMContext &Context, StringRef Key, StringRef Val) {
  Expected<Attribute::AttrKind> Kind = parseKind(Key);
  if (!Kind)
    return Kind.takeError();
  if (*Kind == Attribute::None)
    return Attribute::get(Context, Key, Val);
  if (!Val.empty())
    return createStringError("attribute '" + Key + "' takes no value");
  return Attribute::get(Context, *Kind);
}

/// Returns `Attrs` after the changes.
Expected<AttributeSet> applyChanges(LLVMContext &Context, AttributeSet Attrs,
                                    const AttributeChanges &Changes) {
  AttrBuilder Builder(Context, Attrs);
  for (const auto &[Key, Val] : Changes) {
    if (Val) {
      Expected<Attribute> Attr = makeAttribute(Context, Key, *Val);
      if (!Attr)
        return Attr.takeError();
      Builder.addAttribute(*Attr);
    } else if (Attribute::AttrKind Kind = Attribute::getAttrKindFromName(Key);
               Kind != Attribute::None) {
      Builder.removeAttribute(Kind);
    } else {
      Builder.removeAttribute(Key);
    }
  }
  return AttributeSet::get(Context, Builder);
}

/// Whether a parameter has one of the mutually exclusive attributes that define how it is passed.
bool hasPassingAttribute(const Argument &Arg) {
  return Arg.hasPassPointeeByValueCopyAttr() || Arg.hasByRefAttr() || Arg.hasStructRetAttr() ||
         Arg.hasInRegAttr() || Arg.hasNestAttr();
}

Expected<Function &> findParameterOwner(Module &M, const ParameterKey &Key) {
  Expected<Function &> F = findFunction(M, Key.first);
  if (F && Key.second >= F->arg_size())
    return createStringError("function '" + Key.first + "' has no parameter " + Twine(Key.second));
  return F;
}

} // namespace

std::map<std::string, std::string> functionAttributes(ModuleHandle &Handle,
                                                      const std::string &Key) {
  using ValueMap = std::map<std::string, std::string>;
  return Handle.use("reading attributes", [&](const Module &M) -> Expected<ValueMap> {
    Expected<Attribute::AttrKind> Kind = parseKind(Key);
    if (!Kind)
      return Kind.takeError();
    ValueMap Values;
    for (const Function &F : M) {
      auto Val = valueIn(F.getAttributes().getFnAttrs(), Key, *Kind);
      if (!Val)
        return Val.takeError();
      if (*Val)
        Values.emplace(F.getName().str(), **Val);
    }
    return Values;
  });
}

std::map<std::string, std::string> globalVariableAttributes(ModuleHandle &Handle,
                                                            const std::string &Key) {
  using ValueMap = std::map<std::string, std::string>;
  return Handle.use("reading attributes", [&](const Module &M) -> Expected<ValueMap> {
    Expected<Attribute::AttrKind> Kind = parseKind(Key);
    if (!Kind)
      return Kind.takeError();
    ValueMap Values;
    for (const GlobalVariable &Variable : M.globals()) {
      auto Val = valueIn(Variable.getAttributes(), Key, *Kind);
      if (!Val)
        return Val.takeError();
      if (*Val)
        Values.emplace(Variable.getName().str(), **Val);
    }
    return Values;
  });
}

std::map<ParameterKey, std::string> parameterAttributes(ModuleHandle &Handle,
                                                        const std::string &Key) {
  using ValueMap = std::map<ParameterKey, std::string>;
  return Handle.use("reading attributes", [&](const Module &M) -> Expected<ValueMap> {
    Expected<Attribute::AttrKind> Kind = parseKind(Key);
    if (!Kind)
      return Kind.takeError();
    ValueMap Values;
    for (const Function &F : M)
      for (unsigned ArgNo = 0; ArgNo < F.arg_size(); ++ArgNo) {
        auto Val = valueIn(F.getAttributes().getParamAttrs(ArgNo), Key, *Kind);
        if (!Val)
          return Val.takeError();
        if (*Val)
          Values.emplace(ParameterKey(F.getName().str(), ArgNo), **Val);
      }
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
    // LLVM uniques attribute lists, and many functions share one.
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

Error changeFunctionAttributes(Module &M, const FunctionAttributeChanges &Changes) {
  LLVMContext &Context = M.getContext();
  std::vector<std::pair<Function *, AttributeSet>> Plan;
  for (const auto &[Name, Wanted] : Changes) {
    Expected<Function &> F = findFunction(M, Name);
    if (!F)
      return F.takeError();
    Expected<AttributeSet> Attrs = applyChanges(Context, F->getAttributes().getFnAttrs(), Wanted);
    if (!Attrs)
      return Attrs.takeError();
    Plan.emplace_back(&*F, *Attrs);
  }
  for (auto [F, Attrs] : Plan) {
    AttributeList OtherAttrs = F->getAttributes().removeFnAttributes(Context);
    F->setAttributes(OtherAttrs.addAttributesAtIndex(Context, AttributeList::FunctionIndex,
                                                     AttrBuilder(Context, Attrs)));
  }
  return Error::success();
}

void setFunctionAttributes(ModuleHandle &Handle, const FunctionAttributeChanges &Changes) {
  Handle.use("writing attributes", [&](Module &M) { return changeFunctionAttributes(M, Changes); });
}

void setGlobalVariableAttributes(ModuleHandle &Handle,
                                 const std::map<std::string, AttributeChanges> &Changes) {
  Handle.use("writing attributes", [&](Module &M) -> Error {
    std::vector<std::pair<GlobalVariable *, AttributeSet>> Plan;
    for (const auto &[Name, Wanted] : Changes) {
      Expected<GlobalVariable &> Variable = findGlobalVariable(M, Name);
      if (!Variable)
        return Variable.takeError();
      Expected<AttributeSet> Attrs =
          applyChanges(M.getContext(), Variable->getAttributes(), Wanted);
      if (!Attrs)
        return Attrs.takeError();
      Plan.emplace_back(&*Variable, *Attrs);
    }
    for (auto [Variable, Attrs] : Plan)
      Variable->setAttributes(Attrs);
    return Error::success();
  });
}

void setParameterAttributes(ModuleHandle &Handle,
                            const std::map<ParameterKey, AttributeChanges> &Changes) {
  Handle.use("writing attributes", [&](Module &M) -> Error {
    LLVMContext &Context = M.getContext();
    std::vector<std::tuple<Function *, unsigned, AttributeSet>> Plan;
    for (const auto &[Key, Wanted] : Changes) {
      Expected<Function &> F = findParameterOwner(M, Key);
      if (!F)
        return F.takeError();
      Expected<AttributeSet> Attrs =
          applyChanges(Context, F->getAttributes().getParamAttrs(Key.second), Wanted);
      if (!Attrs)
        return Attrs.takeError();
      Plan.emplace_back(&*F, Key.second, *Attrs);
    }
    for (auto [F, ArgNo, Attrs] : Plan) {
      AttributeList OtherAttrs = F->getAttributes().removeParamAttributes(Context, ArgNo);
      F->setAttributes(OtherAttrs.addParamAttributes(Context, ArgNo, AttrBuilder(Context, Attrs)));
    }
    return Error::success();
  });
}

void setByteReferences(ModuleHandle &Handle, const std::vector<std::string> &Functions) {
  Handle.use("writing attributes", [&](Module &M) -> Error {
    std::vector<Function *> Found;
    for (const std::string &Name : Functions) {
      Expected<Function &> F = findFunction(M, Name);
      if (!F)
        return F.takeError();
      Found.push_back(&*F);
    }
    Type *ByteTy = Type::getInt8Ty(M.getContext());
    for (Function *F : Found)
      for (Argument &Arg : F->args())
        if (Arg.getType()->isPointerTy() && !hasPassingAttribute(Arg))
          Arg.addAttr(Attribute::getWithByRefType(M.getContext(), ByteTy));
    return Error::success();
  });
}

} // namespace dovetail
