#include "attributes.h"
#include "substitution.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using llvm::StringRef;

namespace dovetail {

namespace {

template <class Annotation> std::optional<AttributeUse> annotationAsOurs(const Annotation &it) {
  StringRef name = it.getAnnotation();
  if (!name.consume_front(annotationPrefix))
    return std::nullopt;
  AttributeUse use{name, it.getLocation(), {}};
  for (const Expr *argument : it.args())
    if (!isFiller(*argument, noArgument))
      use.arguments.push_back(argument);
  return use;
}

} // namespace

bool isAttributeScope(StringRef scope) { return scope == "sycl" || scope == "sycl_detail"; }

bool isAttribute(StringRef scope, StringRef name) {
  if (scope == "sycl")
    return llvm::StringSwitch<bool>(name)
        .Cases({"device_has", "requires"}, true)
        .Cases({"reqd_work_group_size", "reqd_sub_group_size", "work_group_size_hint"}, true)
        .Default(false);
  return name == "uses_aspects" || name == "kernel_argument" || takesProperties(todaysName(name));
}

StringRef todaysName(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("add_ir_function_attributes", ofFunction)
      .Case("add_ir_global_variable_attributes", ofVariable)
      .Case("add_ir_kernel_parameter_attributes", ofParameter)
      .Case("add_ir_member_annotation", ofMember)
      .Default(name);
}

bool takesProperties(StringRef name) {
  return name == ofFunction || name == ofVariable || name == ofParameter || name == ofMember;
}

bool takesAspects(StringRef name) {
  return name == "device_has" || name == "requires" || name == "uses_aspects";
}

std::vector<const AnnotateAttr *> annotations(const Decl &declaration, StringRef attribute) {
  std::vector<const AnnotateAttr *> found;
  if (!declaration.hasAttrs())
    return found;
  for (const auto *annotation : declaration.specific_attrs<AnnotateAttr>()) {
    StringRef name = annotation->getAnnotation();
    if (name.consume_front(annotationPrefix) && name == attribute)
      found.push_back(annotation);
  }
  return found;
}

std::optional<AttributeUse> asOurs(const Attr &attribute) {
  if (const auto *annotation = dyn_cast<AnnotateAttr>(&attribute))
    return annotationAsOurs(*annotation);
  if (const auto *annotation = dyn_cast<AnnotateTypeAttr>(&attribute))
    return annotationAsOurs(*annotation);
  return std::nullopt;
}

AttributeUses attributesOf(const Decl &declaration) {
  AttributeUses uses;
  if (declaration.hasAttrs())
    for (const auto *annotation : declaration.specific_attrs<AnnotateAttr>())
      if (auto use = asOurs(*annotation))
        uses.push_back(std::move(*use));
  return uses;
}

AttributeUses attributesOfAll(const Decl &declaration) {
  // Later declarations inherit annotations, but not those of whose kind they have one themselves.
  AttributeUses uses = attributesOf(*declaration.getMostRecentDecl());
  for (const Decl *other : declaration.redecls())
    for (AttributeUse &use : attributesOf(*other))
      if (llvm::none_of(uses, [&](const AttributeUse &it) { return it.place == use.place; }))
        uses.push_back(std::move(use));
  return uses;
}

AttributeUses typeAttributes(const FunctionDecl &function, Sema &sema) {
  AttributeUses uses;
  // As it was written: what clang has deduced of it since may have lost the attributes.
  const TypeSourceInfo *written = function.getTypeSourceInfo();
  QualType type = written ? written->getType() : function.getType();
  while (const auto *attributed = dyn_cast<AttributedType>(type)) {
    if (const Attr *attribute = attributed->getAttr())
      if (auto use = asOurs(*attribute)) {
        substituteArguments(*use, function, sema);
        uses.push_back(std::move(*use));
      }
    type = attributed->getModifiedType();
  }
  return uses;
}

AttributeUses functionAttributes(const FunctionDecl &function, Sema &sema) {
  AttributeUses uses = attributesOfAll(function);
  for (const FunctionDecl *declaration : function.redecls())
    llvm::append_range(uses, typeAttributes(*declaration, sema));
  return uses;
}

bool anyTakesProperties(const AttributeUses &attributes) {
  return llvm::any_of(attributes, [](const auto &use) { return takesProperties(use.name); });
}

bool isFiller(const Expr &argument, StringRef text) {
  const auto *literal = dyn_cast<StringLiteral>(argument.IgnoreParenImpCasts());
  return literal && literal->isOrdinary() && literal->getString() == text;
}

void dropOurs(Decl &declaration) {
  if (!declaration.hasAttrs())
    return;
  AttrVec others = declaration.getAttrs();
  llvm::erase_if(others, [](const Attr *attribute) { return asOurs(*attribute).has_value(); });
  declaration.dropAttrs();
  if (!others.empty())
    declaration.setAttrs(others);
}

} // namespace dovetail
