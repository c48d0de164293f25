#include "linkage.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace dovetail {

static const FunctionDecl *enclosingFunction(const Decl &D) {
  return dyn_cast_or_null<FunctionDecl>(D.getParentFunctionOrMethod());
}

/// A specialization is internal if one of its arguments is.
static bool isInternal(llvm::ArrayRef<TemplateArgument> Args) {
  for (const TemplateArgument &Arg : Args) {
    if (Arg.getKind() == TemplateArgument::Pack && isInternal(Arg.pack_elements()))
      return true;
    if (Arg.getKind() == TemplateArgument::Type && isInternal(Arg.getAsType()))
      return true;
  }
  return false;
}

static bool isInternal(const TagDecl &TD) {
  if (const FunctionDecl *Around = enclosingFunction(TD))
    return isInternal(*Around);
  if (TD.getFormalLinkage() == Linkage::Internal)
    return true;
  const auto *Instance = dyn_cast<ClassTemplateSpecializationDecl>(&TD);
  if (Instance && isInternal(Instance->getTemplateArgs().asArray()))
    return true;
  const auto *Outer = dyn_cast<TagDecl>(TD.getDeclContext());
  return Outer && isInternal(*Outer);
}

bool isInternal(const FunctionDecl &FD) {
  if (const FunctionDecl *Around = enclosingFunction(FD))
    return isInternal(*Around);
  if (FD.getFormalLinkage() == Linkage::Internal)
    return true;
  const TemplateArgumentList *Args = FD.getTemplateSpecializationArgs();
  if (Args && isInternal(Args->asArray()))
    return true;
  const auto *MD = dyn_cast<CXXMethodDecl>(&FD);
  return MD && isInternal(*MD->getParent());
}

bool isInternal(QualType T) {
  while (!T->getPointeeType().isNull())
    T = T->getPointeeType();
  const TagDecl *TD = T->getBaseElementTypeUnsafe()->getAsTagDecl();
  return TD ? isInternal(*TD) : T->getLinkage() == Linkage::Internal;
}

} // namespace dovetail
