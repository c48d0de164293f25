#include "linkage.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace dovetail {

static const FunctionDecl *functionAround(const Decl &declaration) {
  return dyn_cast_or_null<FunctionDecl>(declaration.getParentFunctionOrMethod());
}

/// An instance is as little known to others as what it is made with.
static bool isInternal(llvm::ArrayRef<TemplateArgument> arguments) {
  for (const TemplateArgument &argument : arguments) {
    if (argument.getKind() == TemplateArgument::Pack && isInternal(argument.pack_elements()))
      return true;
    if (argument.getKind() == TemplateArgument::Type && isInternal(argument.getAsType()))
      return true;
  }
  return false;
}

static bool isInternal(const TagDecl &tag) {
  if (const FunctionDecl *around = functionAround(tag))
    return isInternal(*around);
  if (tag.getFormalLinkage() == Linkage::Internal)
    return true;
  const auto *instance = dyn_cast<ClassTemplateSpecializationDecl>(&tag);
  if (instance && isInternal(instance->getTemplateArgs().asArray()))
    return true;
  const auto *outer = dyn_cast<TagDecl>(tag.getDeclContext());
  return outer && isInternal(*outer);
}

bool isInternal(const FunctionDecl &function) {
  if (const FunctionDecl *around = functionAround(function))
    return isInternal(*around);
  if (function.getFormalLinkage() == Linkage::Internal)
    return true;
  const TemplateArgumentList *arguments = function.getTemplateSpecializationArgs();
  if (arguments && isInternal(arguments->asArray()))
    return true;
  const auto *method = dyn_cast<CXXMethodDecl>(&function);
  return method && isInternal(*method->getParent());
}

bool isInternal(QualType type) {
  while (!type->getPointeeType().isNull())
    type = type->getPointeeType();
  const TagDecl *tag = type->getBaseElementTypeUnsafe()->getAsTagDecl();
  return tag ? isInternal(*tag) : type->getLinkage() == Linkage::Internal;
}

} // namespace dovetail
