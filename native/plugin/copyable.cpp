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

bool find(LookupResult &Result, DeclContext &Where, Sema &S) {
  Result.suppressDiagnostics();
  return S.LookupQualifiedName(Result, &Where) && !Result.isAmbiguous();
}

LookupResult lookup(StringRef Name, Sema &S, SourceLocation Loc) {
  return LookupResult(S, &S.getASTContext().Idents.get(Name), Loc, Sema::LookupOrdinaryName);
}

/// Returns the class template sycl::is_device_copyable; null if the headers are not included.
ClassTemplateDecl *findTrait(Sema &S, SourceLocation Loc) {
  LookupResult Space = lookup("sycl", S, Loc);
  if (!find(Space, *S.getASTContext().getTranslationUnitDecl(), S))
    return nullptr;
  auto *Sycl = Space.getAsSingle<NamespaceDecl>();
  LookupResult Found = lookup("is_device_copyable", S, Loc);
  return Sycl && find(Found, *Sycl, S) ? Found.getAsSingle<ClassTemplateDecl>() : nullptr;
}

/// Returns the trait's `value` for a type, in the way in which clang evaluates std::tuple_size.
bool evaluateTrait(ClassTemplateDecl &Trait, QualType T, Sema &S, SourceLocation Loc) {
  ASTContext &Ctx = S.getASTContext();
  TemplateArgumentListInfo Args(Loc, Loc);
  Args.addArgument(TemplateArgumentLoc(TemplateArgument(T), Ctx.getTrivialTypeSourceInfo(T, Loc)));
  QualType Instance =
      S.CheckTemplateIdType(ElaboratedTypeKeyword::None, TemplateName(&Trait), Loc, Args,
                            /*Scope=*/nullptr, /*ForNestedNameSpecifier=*/false);
  if (Instance.isNull() || !S.isCompleteType(Loc, Instance))
    return false;
  LookupResult Value = lookup("value", S, Loc);
  if (!find(Value, *Instance->getAsCXXRecordDecl(), S))
    return false;
  ExprResult E = S.BuildDeclarationNameExpr(CXXScopeSpec(), Value, /*NeedsADL=*/false);
  bool Result = false;
  return E.isUsable() && E.get()->EvaluateAsBooleanCondition(Result, Ctx) && Result;
}

} // namespace

bool isDeviceCopyable(QualType T, Sema &S, SourceLocation Loc) {
  T = S.getASTContext().getBaseElementType(T).getUnqualifiedType();
  if (T.isTriviallyCopyableType(S.getASTContext()))
    return true;
  const CXXRecordDecl *RD = T->getAsCXXRecordDecl();
  if (RD && !annotations(*RD, "kernel_argument").empty())
    return true;
  ClassTemplateDecl *Trait = findTrait(S, Loc);
  return !Trait || evaluateTrait(*Trait, T, S, Loc);
}

} // namespace dovetail
