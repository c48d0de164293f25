#include "attributes.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using llvm::StringRef;

namespace dovetail {

namespace {

std::string toText(const APValue &value, QualType type) {
  if (value.isInt()) {
    if (type->isBooleanType())
      return value.getInt().getBoolValue() ? "true" : "false";
    return llvm::toString(value.getInt(), 10);
  }
  if (value.isFloat()) {
    // The form of std::to_string.
    std::string text(512, '\0');
    int length = snprintf(text.data(), text.size(), "%f", value.getFloat().convertToDouble());
    text.resize(length);
    return text;
  }
  return "";
}

/// A constant argument as text; a null pointer is the empty text.
std::string constantText(const Expr &argument, const ASTContext &context) {
  if (auto text = argument.tryEvaluateString(const_cast<ASTContext &>(context)))
    return *text;
  Expr::EvalResult result;
  if (!argument.EvaluateAsRValue(result, context))
    return "";
  return toText(result.Val, argument.IgnoreParenImpCasts()->getType());
}

template <class Annotation> void addIfOurs(const Annotation &annotation, AttributeUses &uses) {
  StringRef name = annotation.getAnnotation();
  if (name.consume_front(annotationPrefix))
    uses.push_back({name,
                    annotation.getLocation(),
                    {annotation.args_begin(), annotation.args_end()}});
}

/// Attributes behind a function's parameters belong to its type.
void addTypeAttributes(QualType type, AttributeUses &uses) {
  while (const auto *attributed = dyn_cast<AttributedType>(type)) {
    if (const auto *annotation = dyn_cast_or_null<AnnotateTypeAttr>(attributed->getAttr()))
      addIfOurs(*annotation, uses);
    type = attributed->getModifiedType();
  }
}

} // namespace

bool isAttributeScope(StringRef scope) { return scope == "sycl" || scope == "sycl_detail"; }

bool isAttribute(StringRef scope, StringRef name) {
  if (scope == "sycl")
    return llvm::StringSwitch<bool>(name)
        .Cases({"device_has", "requires"}, true)
        .Cases({"reqd_work_group_size", "reqd_sub_group_size", "work_group_size_hint"}, true)
        .Default(false);
  return llvm::StringSwitch<bool>(name)
      .Cases({"uses_aspects", "kernel_argument"}, true)
      // Today's names for the properties that reach the IR, then those of the first design.
      .Cases({"add_ir_attributes_function", "add_ir_attributes_global_variable",
              "add_ir_attributes_kernel_parameter", "add_ir_annotations_member"},
             true)
      .Cases({"add_ir_function_attributes", "add_ir_global_variable_attributes",
              "add_ir_kernel_parameter_attributes", "add_ir_member_annotation"},
             true)
      .Default(false);
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

AttributeUses attributesOf(const Decl &declaration) {
  AttributeUses uses;
  if (declaration.hasAttrs())
    for (const auto *annotation : declaration.specific_attrs<AnnotateAttr>())
      addIfOurs(*annotation, uses);
  return uses;
}

AttributeUses functionAttributes(const FunctionDecl &function) {
  // Annotations are inherited by later declarations; those of types are not.
  AttributeUses uses = attributesOf(*function.getMostRecentDecl());
  for (const FunctionDecl *declaration : function.redecls())
    addTypeAttributes(declaration->getType(), uses);
  return uses;
}

Properties properties(const AnnotateAttr &attribute, const ASTContext &context) {
  Properties result;
  size_t pairs = attribute.args_size() / 2;
  for (size_t i = 0; i < pairs; ++i)
    result.emplace_back(constantText(**(attribute.args_begin() + i), context),
                        constantText(**(attribute.args_begin() + pairs + i), context));
  return result;
}

} // namespace dovetail
