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

/// A function without a body that a device can start, with the kernel's parameters.
FunctionDecl &declare(const FunctionDecl &kernel, const std::string &symbol, ASTContext &context) {
  SourceLocation place = kernel.getLocation();
  const auto *type = kernel.getType()->castAs<FunctionProtoType>();
  FunctionProtoType::ExtProtoInfo info = type->getExtProtoInfo();
  info.ExtInfo = info.ExtInfo.withCallingConv(CC_DeviceKernel);
  QualType entryType = context.getFunctionType(context.VoidTy, type->getParamTypes(), info);
  auto *entry = FunctionDecl::Create(context, context.getTranslationUnitDecl(), place, place,
                                     &context.Idents.get(symbol), entryType,
                                     context.getTrivialTypeSourceInfo(entryType, place), SC_None);
  llvm::SmallVector<ParmVarDecl *> parameters;
  for (const ParmVarDecl *given : kernel.parameters())
    parameters.push_back(ParmVarDecl::Create(context, entry, place, place, given->getIdentifier(),
                                             given->getType(), given->getTypeSourceInfo(), SC_None,
                                             /*DefArg=*/nullptr));
  entry->setParams(parameters);
  entry->setImplicit();
  entry->addAttr(AsmLabelAttr::CreateImplicit(context, symbol));
  entry->addAttr(DeviceKernelAttr::CreateImplicit(context));
  // Nothing calls it, so clang would not generate code for it.
  entry->addAttr(SYCLExternalAttr::CreateImplicit(context));
  return *entry;
}

/// The call of the kernel, whose arguments are copied as C++ copies them.
ExprResult callOf(FunctionDecl &kernel, FunctionDecl &entry, Sema &sema) {
  SourceLocation place = kernel.getLocation();
  llvm::SmallVector<Expr *> arguments;
  for (ParmVarDecl *parameter : entry.parameters())
    arguments.push_back(sema.BuildDeclRefExpr(parameter, parameter->getType().getNonReferenceType(),
                                              VK_LValue, place));
  Expr *callee = sema.BuildDeclRefExpr(&kernel, kernel.getType(), VK_LValue, place);
  ExprResult call = sema.BuildCallExpr(/*S=*/nullptr, callee, place, arguments, place);
  if (call.isInvalid())
    return call;
  return sema.ActOnFinishFullExpr(call.get(), place, /*DiscardedValue=*/true);
}

} // namespace

void addEntryPoint(FunctionDecl &kernel, const std::string &symbol, Sema &sema) {
  ASTContext &context = sema.getASTContext();
  FunctionDecl &entry = declare(kernel, symbol, context);
  {
    Sema::SynthesizedFunctionScope scope(sema, &entry);
    ExprResult call = callOf(kernel, entry, sema);
    if (call.isInvalid())
      return; // clang has said why
    SourceLocation place = kernel.getLocation();
    entry.setBody(CompoundStmt::Create(context, call.get(), FPOptionsOverride(), place, place));
  }
  // Copying a class may have instantiated its constructor.
  sema.PerformPendingInstantiations();
  sema.Consumer.HandleTopLevelDecl(DeclGroupRef(&entry));
}

} // namespace dovetail
