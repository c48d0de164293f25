#include "variable_properties.h"
#include "places.h"
#include "properties.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/Stmt.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace dovetail {

bool hasVariableProperties(const VarDecl &VD, const ASTContext &Ctx) {
  const auto *RD = Ctx.getBaseElementType(VD.getType())->getAsCXXRecordDecl();
  return RD && !annotations(*RD->getMostRecentDecl(), VariableProperties).empty();
}

void VariableFinder::visit(Decl &D) {
  if (auto *VD = dyn_cast<VarDecl>(&D)) {
    if (VD->isInvalidDecl() || VD->getType()->isDependentType() || !VD->hasGlobalStorage() ||
        !hasVariableProperties(*VD, Ctx))
      return;
    add(*VD);
  } else if (auto *RD = dyn_cast<CXXRecordDecl>(&D)) {
    if (RD->isThisDeclarationADefinition() && !RD->isDependentContext())
      for (Decl *Inner : RD->decls())
        if (isa<VarDecl, CXXRecordDecl>(Inner))
          visit(*Inner);
  }
}

void VariableFinder::add(const VarDecl &VD) { Variables.insert(VD.getCanonicalDecl()); }

static void reportDynamicInitialization(const VarDecl &VD, Sema &S) {
  DiagnosticsEngine &Diags = S.getDiagnostics();
  unsigned DiagID = Diags.getCustomDiagID(
      DiagnosticsEngine::Error,
      "device variable %0 needs a constant initializer; devices do not run dynamic initialization");
  Diags.Report(VD.getLocation(), DiagID) << &VD;
}

void VariableFinder::emit(Sema &S) const {
  llvm::SmallVector<VarDecl *> Defs;
  for (const VarDecl *VD : Variables)
    if (const VarDecl *Found = VD->getDefinition(Ctx)) {
      if (!Found->hasConstantInitialization())
        reportDynamicInitialization(*Found, S);
      else if (!Found->isStaticLocal())
        Defs.push_back(const_cast<VarDecl *>(Found));
    }
  if (Defs.empty())
    return;
  SourceLocation Loc = Defs.front()->getLocation();
  QualType T = Ctx.getFunctionType(Ctx.VoidTy, {}, {});
  auto *User = FunctionDecl::Create(Ctx, Ctx.getTranslationUnitDecl(), Loc, Loc,
                                    &Ctx.Idents.get(VariableUserName), T,
                                    Ctx.getTrivialTypeSourceInfo(T, Loc), SC_None);
  User->setImplicit();
  User->addAttr(AsmLabelAttr::CreateImplicit(Ctx, VariableUserName));
  User->addAttr(SYCLExternalAttr::CreateImplicit(Ctx));
  llvm::SmallVector<Stmt *> Uses;
  {
    Sema::SynthesizedFunctionScope InScope(S, User);
    for (VarDecl *VD : Defs)
      Uses.push_back(S.BuildDeclRefExpr(VD, VD->getType(), VK_LValue, Loc));
  }
  User->setBody(CompoundStmt::Create(Ctx, Uses, FPOptionsOverride(), Loc, Loc));
  S.Consumer.HandleTopLevelDecl(DeclGroupRef(User));
}

std::vector<VariableFact> VariableFinder::facts(PlaceTable &Places) const {
  std::vector<VariableFact> Result;
  for (const VarDecl *VD : Variables) {
    Properties Attrs = propertiesOf(Ctx.getBaseElementType(VD->getType()), VariableProperties, Ctx);
    if (Attrs.empty())
      continue;
    const VarDecl *Def = VD->getDefinition(Ctx);
    Result.push_back({ASTNameGenerator(Ctx).getName(VD), VD->getQualifiedNameAsString(),
                      Places.place((Def ? Def : VD)->getLocation()), std::move(Attrs)});
  }
  return Result;
}

} // namespace dovetail
