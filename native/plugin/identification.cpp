#include "identification.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/Stmt.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace dovetail {

static constexpr llvm::StringRef FunctionName = "__dovetail_identify";
/// The highest priority for constructors of programs.
static constexpr unsigned Priority = 101;

void VariableIdentifier::visit(Decl &D) {
  if (auto *VD = dyn_cast<VarDecl>(&D)) {
    if (!VD->isInvalidDecl() && !VD->getType()->isDependentType() && VD->hasGlobalStorage() &&
        findFunction(*VD))
      Variables.insert(VD->getCanonicalDecl());
  } else if (auto *RD = dyn_cast<CXXRecordDecl>(&D)) {
    if (RD->isThisDeclarationADefinition() && !RD->isDependentContext())
      for (Decl *Inner : RD->decls())
        if (isa<VarDecl, CXXRecordDecl>(Inner))
          visit(*Inner);
  } else if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(D)) {
    for (Decl *Inner : cast<DeclContext>(D).decls())
      visit(*Inner);
  }
}

CXXMethodDecl *VariableIdentifier::findFunction(const VarDecl &VD) {
  ASTContext &Ctx = S.getASTContext();
  CXXRecordDecl *RD = Ctx.getBaseElementType(VD.getType())->getAsCXXRecordDecl();
  if (!RD || !RD->hasDefinition())
    return nullptr;
  LookupResult Found(S, &Ctx.Idents.get(FunctionName), SourceLocation(), Sema::LookupMemberName);
  Found.suppressDiagnostics();
  S.LookupQualifiedName(Found, RD->getDefinition());
  return Found.isSingleResult() ? Found.getAsSingle<CXXMethodDecl>() : nullptr;
}

std::string VariableIdentifier::identifierOf(const VarDecl &VD) const {
  std::string Symbol = ASTNameGenerator(S.getASTContext()).getName(&VD);
  // passes/base.py makes the same name for the device.
  return VD.isExternallyVisible() || Unique.empty() ? Symbol : Symbol + "$" + Unique;
}

Expr *VariableIdentifier::buildCall(VarDecl &VD) {
  ASTContext &Ctx = S.getASTContext();
  SourceLocation Loc = VD.getLocation();
  QualType T = VD.getType();
  auto BuildSize = [&](QualType Of) -> Expr * {
    QualType SizeTy = Ctx.getSizeType();
    llvm::APInt Value(Ctx.getTypeSize(SizeTy), Ctx.getTypeSizeInChars(Of).getQuantity());
    return IntegerLiteral::Create(Ctx, Value, SizeTy, Loc);
  };
  Expr *Object = S.BuildDeclRefExpr(&VD, T, VK_LValue, Loc);
  ExprResult Address = S.CreateBuiltinUnaryOp(Loc, UO_AddrOf, Object);
  std::string Identifier = identifierOf(VD);
  Expr *Text =
      StringLiteral::Create(Ctx, Identifier, StringLiteralKind::Ordinary, /*Pascal=*/false,
                            Ctx.getStringLiteralArrayType(Ctx.CharTy, Identifier.size()), Loc);
  CXXMethodDecl *Function = findFunction(VD);
  Expr *Callee = S.BuildDeclRefExpr(Function, Function->getType(), VK_LValue, Loc);
  Expr *Args[] = {Address.get(), BuildSize(T), BuildSize(Ctx.getBaseElementType(T)), Text};
  return S.BuildCallExpr(/*S=*/nullptr, Callee, Loc, Args, Loc).get();
}

void VariableIdentifier::emit() {
  ASTContext &Ctx = S.getASTContext();
  llvm::SmallVector<VarDecl *> Defs;
  // Dynamic initialization would overwrite the registration. It is an error in the device
  // compilation.
  for (VarDecl *VD : Variables)
    if (VarDecl *Found = VD->getDefinition(Ctx);
        Found && !Found->isStaticLocal() && Found->hasConstantInitialization())
      Defs.push_back(Found);
  if (Defs.empty())
    return;
  SourceLocation Loc = Defs.front()->getLocation();
  QualType T = Ctx.getFunctionType(Ctx.VoidTy, {}, {});
  auto *Function = FunctionDecl::Create(Ctx, Ctx.getTranslationUnitDecl(), Loc, Loc,
                                        &Ctx.Idents.get("__dovetail_identify_variables"), T,
                                        Ctx.getTrivialTypeSourceInfo(T, Loc), SC_Static);
  Function->setImplicit();
  QualType SizeTy = Ctx.getSizeType();
  Expr *PriorityArg =
      IntegerLiteral::Create(Ctx, llvm::APInt(Ctx.getTypeSize(SizeTy), Priority), SizeTy, Loc);
  Function->addAttr(ConstructorAttr::CreateImplicit(Ctx, PriorityArg));
  Function->addAttr(UsedAttr::CreateImplicit(Ctx));
  llvm::SmallVector<Stmt *> Calls;
  {
    Sema::SynthesizedFunctionScope InScope(S, Function);
    for (VarDecl *VD : Defs)
      if (Expr *Call = buildCall(*VD))
        Calls.push_back(Call);
  }
  Function->setBody(CompoundStmt::Create(Ctx, Calls, FPOptionsOverride(), Loc, Loc));
  S.Consumer.HandleTopLevelDecl(DeclGroupRef(Function));
}

} // namespace dovetail
