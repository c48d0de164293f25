#include "copyable.h"
#include "attributes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"

using namespace clang;
using llvm::StringRef;

namespace dovetail {

namespace {

bool find(LookupResult &result, DeclContext &where, Sema &sema) {
  result.suppressDiagnostics();
  return sema.LookupQualifiedName(result, &where) && !result.isAmbiguous();
}

LookupResult lookup(StringRef name, Sema &sema, SourceLocation place) {
  return LookupResult(sema, &sema.getASTContext().Idents.get(name), place,
                      Sema::LookupOrdinaryName);
}

/// The class template sycl::is_device_copyable; null where the headers are not included.
ClassTemplateDecl *trait(Sema &sema, SourceLocation place) {
  LookupResult space = lookup("sycl", sema, place);
  if (!find(space, *sema.getASTContext().getTranslationUnitDecl(), sema))
    return nullptr;
  auto *sycl = space.getAsSingle<NamespaceDecl>();
  LookupResult found = lookup("is_device_copyable", sema, place);
  return sycl && find(found, *sycl, sema) ? found.getAsSingle<ClassTemplateDecl>() : nullptr;
}

/// The `value` of the trait's instance for a type, as clang itself asks std::tuple_size.
bool valueOf(ClassTemplateDecl &trait, QualType type, Sema &sema, SourceLocation place) {
  ASTContext &context = sema.getASTContext();
  TemplateArgumentListInfo arguments(place, place);
  arguments.addArgument(
      TemplateArgumentLoc(TemplateArgument(type), context.getTrivialTypeSourceInfo(type, place)));
  QualType instance =
      sema.CheckTemplateIdType(ElaboratedTypeKeyword::None, TemplateName(&trait), place, arguments,
                               /*Scope=*/nullptr, /*ForNestedNameSpecifier=*/false);
  if (instance.isNull() || !sema.isCompleteType(place, instance))
    return false;
  LookupResult value = lookup("value", sema, place);
  if (!find(value, *instance->getAsCXXRecordDecl(), sema))
    return false;
  ExprResult expression = sema.BuildDeclarationNameExpr(CXXScopeSpec(), value, /*NeedsADL=*/false);
  bool holds = false;
  return expression.isUsable() && expression.get()->EvaluateAsBooleanCondition(holds, context) &&
         holds;
}

} // namespace

bool isDeviceCopyable(QualType type, Sema &sema, SourceLocation place) {
  type = sema.getASTContext().getBaseElementType(type).getUnqualifiedType();
  if (type.isTriviallyCopyableType(sema.getASTContext()))
    return true;
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (record && !annotations(*record, "kernel_argument").empty())
    return true;
  ClassTemplateDecl *copyable = trait(sema, place);
  return !copyable || valueOf(*copyable, type, sema, place);
}

} // namespace dovetail
