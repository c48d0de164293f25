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
Attribute::AttrKind knownKind(StringRef key) {
  Attribute::AttrKind kind = Attribute::getAttrKindFromName(key);
  if (kind != Attribute::None && !Attribute::isEnumAttrKind(kind))
    throw IRError(("attribute '" + key + "' has a value that is not a string").str());
  return kind;
}

std::optional<std::string> valueIn(AttributeSet attributes, StringRef key) {
  Attribute::AttrKind kind = knownKind(key);
  if (kind != Attribute::None)
    return attributes.hasAttribute(kind) ? std::optional<std::string>("") : std::nullopt;
  if (!attributes.hasAttribute(key))
    return std::nullopt;
  return readText(attributes.getAttribute(key).getValueAsString());
}

Attribute makeAttribute(LLVMContext &context, StringRef key, StringRef value) {
  Attribute::AttrKind kind = knownKind(key);
  if (kind == Attribute::None)
    return Attribute::get(context, key, value);
  if (!value.empty())
    throw IRError(("attribute '" + key + "' takes no value").str());
  return Attribute::get(context, kind);
}

/// `attributes` after the changes.
AttributeSet changed(LLVMContext &context, AttributeSet attributes,
                     const AttributeChanges &changes) {
  AttrBuilder builder(context, attributes);
  for (const auto &[key, value] : changes) {
    if (value)
      builder.addAttribute(makeAttribute(context, key, *value));
    else if (Attribute::AttrKind kind = Attribute::getAttrKindFromName(key);
             kind != Attribute::None)
      builder.removeAttribute(kind);
    else
      builder.removeAttribute(key);
  }
  return AttributeSet::get(context, builder);
}

/// Whether a parameter has one of the attributes of which there can be only one.
bool saysHowItIsPassed(const Argument &argument) {
  return argument.hasPassPointeeByValueCopyAttr() || argument.hasByRefAttr() ||
         argument.hasStructRetAttr() || argument.hasInRegAttr() || argument.hasNestAttr();
}

Function &findParameterOwner(llvm::Module &ir, const ParameterKey &key) {
  Function &function = findFunction(ir, key.first);
  if (key.second >= function.arg_size())
    throw IRError("function '" + key.first + "' has no parameter " + std::to_string(key.second));
  return function;
}

} // namespace

std::map<std::string, std::string> functionAttributes(ModuleHandle &module,
                                                      const std::string &key) {
  return module.use("reading attributes", [&](const llvm::Module &ir) {
    std::map<std::string, std::string> values;
    for (const Function &function : ir)
      if (auto value = valueIn(function.getAttributes().getFnAttrs(), key))
        values.emplace(function.getName().str(), *value);
    return values;
  });
}

std::map<std::string, std::string> globalVariableAttributes(ModuleHandle &module,
                                                            const std::string &key) {
  return module.use("reading attributes", [&](const llvm::Module &ir) {
    std::map<std::string, std::string> values;
    for (const GlobalVariable &variable : ir.globals())
      if (auto value = valueIn(variable.getAttributes(), key))
        values.emplace(variable.getName().str(), *value);
    return values;
  });
}

std::map<ParameterKey, std::string> parameterAttributes(ModuleHandle &module,
                                                        const std::string &key) {
  return module.use("reading attributes", [&](const llvm::Module &ir) {
    std::map<ParameterKey, std::string> values;
    for (const Function &function : ir)
      for (unsigned index = 0; index < function.arg_size(); ++index)
        if (auto value = valueIn(function.getAttributes().getParamAttrs(index), key))
          values.emplace(ParameterKey(function.getName().str(), index), *value);
    return values;
  });
}

std::set<std::string> stringAttributeKeys(ModuleHandle &module) {
  return module.use("reading attributes", [](const llvm::Module &ir) {
    std::set<std::string> keys;
    auto addKeys = [&](AttributeSet attributes) {
      for (Attribute attribute : attributes)
        if (attribute.isStringAttribute() && json::isUTF8(attribute.getKindAsString()))
          keys.insert(attribute.getKindAsString().str());
    };
    // LLVM keeps each list once, and many functions share it.
    SmallPtrSet<void *, 16> seen;
    for (const Function &function : ir)
      if (AttributeList all = function.getAttributes(); seen.insert(all.getRawPointer()).second)
        for (AttributeSet attributes : all)
          addKeys(attributes);
    for (const GlobalVariable &variable : ir.globals())
      addKeys(variable.getAttributes());
    return keys;
  });
}

void changeFunctionAttributes(llvm::Module &ir, const FunctionAttributeChanges &changes) {
  LLVMContext &context = ir.getContext();
  std::vector<std::pair<Function *, AttributeSet>> plan;
  for (const auto &[name, wanted] : changes) {
    Function &function = findFunction(ir, name);
    plan.emplace_back(&function, changed(context, function.getAttributes().getFnAttrs(), wanted));
  }
  for (auto [function, attributes] : plan) {
    constexpr unsigned place = AttributeList::FunctionIndex;
    AttributeList others = function->getAttributes().removeFnAttributes(context);
    function->setAttributes(
        others.addAttributesAtIndex(context, place, AttrBuilder(context, attributes)));
  }
}

void setFunctionAttributes(ModuleHandle &module, const FunctionAttributeChanges &changes) {
  module.use("writing attributes",
             [&](llvm::Module &ir) { changeFunctionAttributes(ir, changes); });
}

void setGlobalVariableAttributes(ModuleHandle &module,
                                 const std::map<std::string, AttributeChanges> &changes) {
  module.use("writing attributes", [&](llvm::Module &ir) {
    std::vector<std::pair<GlobalVariable *, AttributeSet>> plan;
    for (const auto &[name, wanted] : changes) {
      GlobalVariable &variable = findGlobalVariable(ir, name);
      plan.emplace_back(&variable, changed(ir.getContext(), variable.getAttributes(), wanted));
    }
    for (auto [variable, attributes] : plan)
      variable->setAttributes(attributes);
  });
}

void setParameterAttributes(ModuleHandle &module,
                            const std::map<ParameterKey, AttributeChanges> &changes) {
  module.use("writing attributes", [&](llvm::Module &ir) {
    LLVMContext &context = ir.getContext();
    std::vector<std::tuple<Function *, unsigned, AttributeSet>> plan;
    for (const auto &[key, wanted] : changes) {
      Function &function = findParameterOwner(ir, key);
      AttributeSet now = function.getAttributes().getParamAttrs(key.second);
      plan.emplace_back(&function, key.second, changed(context, now, wanted));
    }
    for (auto [function, index, attributes] : plan) {
      AttributeList others = function->getAttributes().removeParamAttributes(context, index);
      function->setAttributes(
          others.addParamAttributes(context, index, AttrBuilder(context, attributes)));
    }
  });
}

void setByteReferences(ModuleHandle &module, const std::vector<std::string> &functions) {
  module.use("writing attributes", [&](llvm::Module &ir) {
    std::vector<Function *> found;
    for (const std::string &name : functions)
      found.push_back(&findFunction(ir, name));
    Type *byte = Type::getInt8Ty(ir.getContext());
    for (Function *function : found)
      for (Argument &argument : function->args())
        if (argument.getType()->isPointerTy() && !saysHowItIsPassed(argument))
          argument.addAttr(Attribute::getWithByRefType(ir.getContext(), byte));
  });
}

} // namespace dovetail
