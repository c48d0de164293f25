#include "entry_points.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/Stmt.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace dovetail {

namespace {

/// Declares a device kernel with the parameters of a function.
FunctionDecl &declare(const FunctionDecl &Kernel, const std::string &Symbol, ASTContext &Ctx) {
  SourceLocation Loc = Kernel.getLocation();
  const auto *T = Kernel.getType()->castAs<FunctionProtoType>();
  FunctionProtoType::ExtProtoInfo Info = T->getExtProtoInfo();
  Info.ExtInfo = Info.ExtInfo.withCallingConv(CC_DeviceKernel);
  QualType EntryType = Ctx.getFunctionType(Ctx.VoidTy, T->getParamTypes(), Info);
  auto *Entry =
      FunctionDecl::Create(Ctx, Ctx.getTranslationUnitDecl(), Loc, Loc, &Ctx.Idents.get(Symbol),
                           EntryType, Ctx.getTrivialTypeSourceInfo(EntryType, Loc), SC_None);
  llvm::SmallVector<ParmVarDecl *> Params;
  for (const ParmVarDecl *Given : Kernel.parameters())
    Params.push_back(ParmVarDecl::Create(Ctx, Entry, Loc, Loc, Given->getIdentifier(),
                                         Given->getType(), Given->getTypeSourceInfo(), SC_None,
                                         /*DefArg=*/nullptr));
  Entry->setParams(Params);
  Entry->setImplicit();
  Entry->addAttr(AsmLabelAttr::CreateImplicit(Ctx, Symbol));
  Entry->addAttr(DeviceKernelAttr::CreateImplicit(Ctx));
  // Clang generates no code for functions without callers.
  Entry->addAttr(SYCLExternalAttr::CreateImplicit(Ctx));
  return *Entry;
}

/// Builds the call of the kernel, whose arguments are copied by C++'s rules.
ExprResult buildCall(FunctionDecl &Kernel, FunctionDecl &Entry, Sema &S) {
  SourceLocation Loc = Kernel.getLocation();
  llvm::SmallVector<Expr *> Args;
  for (ParmVarDecl *Param : Entry.parameters())
    Args.push_back(
        S.BuildDeclRefExpr(Param, Param->getType().getNonReferenceType(), VK_LValue, Loc));
  Expr *Callee = S.BuildDeclRefExpr(&Kernel, Kernel.getType(), VK_LValue, Loc);
  ExprResult Call = S.BuildCallExpr(/*S=*/nullptr, Callee, Loc, Args, Loc);
  if (Call.isInvalid())
    return Call;
  return S.ActOnFinishFullExpr(Call.get(), Loc, /*DiscardedValue=*/true);
}

} // namespace

void addEntryPoint(FunctionDecl &Kernel, const std::string &Symbol, Sema &S) {
  ASTContext &Ctx = S.getASTContext();
  FunctionDecl &Entry = declare(Kernel, Symbol, Ctx);
  {
    Sema::SynthesizedFunctionScope InScope(S, &Entry);
    ExprResult Call = buildCall(Kernel, Entry, S);
    if (Call.isInvalid())
      return; // reported by clang
    SourceLocation Loc = Kernel.getLocation();
    Entry.setBody(CompoundStmt::Create(Ctx, Call.get(), FPOptionsOverride(), Loc, Loc));
  }
  // The copy of a class may have instantiated its constructor.
  S.PerformPendingInstantiations();
  S.Consumer.HandleTopLevelDecl(DeclGroupRef(&Entry));
}

} // namespace dovetail
