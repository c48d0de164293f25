#include "linkage.h"
#include "clang/AST/Decl.h"

using namespace clang;

namespace dovetail {

static const FunctionDecl *functionAround(const Decl &declaration) {
  return dyn_cast_or_null<FunctionDecl>(declaration.getParentFunctionOrMethod());
}

bool isInternal(const FunctionDecl &function) {
  if (const FunctionDecl *around = functionAround(function))
    return isInternal(*around);
  return function.getFormalLinkage() == Linkage::Internal;
}

bool isInternal(QualType type) {
  if (type->getLinkage() == Linkage::Internal)
    return true;
  const TagDecl *tag = type->getAsTagDecl();
  const FunctionDecl *around = tag ? functionAround(*tag) : nullptr;
  return around && isInternal(*around);
}

} // namespace dovetail
