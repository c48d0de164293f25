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

static constexpr llvm::StringRef functionName = "__dovetail_identify";
/// The first that programs may have.
static constexpr unsigned priority = 101;

void VariableIdentifier::consider(Decl &declaration) {
  if (auto *variable = dyn_cast<VarDecl>(&declaration)) {
    if (!variable->isInvalidDecl() && !variable->getType()->isDependentType() &&
        variable->hasGlobalStorage() && functionFor(*variable))
      variables.insert(variable->getCanonicalDecl());
  } else if (auto *record = dyn_cast<CXXRecordDecl>(&declaration)) {
    if (record->isThisDeclarationADefinition() && !record->isDependentContext())
      for (Decl *inner : record->decls())
        if (isa<VarDecl, CXXRecordDecl>(inner))
          consider(*inner);
  } else if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(declaration)) {
    for (Decl *inner : cast<DeclContext>(declaration).decls())
      consider(*inner);
  }
}

CXXMethodDecl *VariableIdentifier::functionFor(const VarDecl &variable) {
  ASTContext &context = sema.getASTContext();
  CXXRecordDecl *record = context.getBaseElementType(variable.getType())->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition())
    return nullptr;
  LookupResult found(sema, &context.Idents.get(functionName), SourceLocation(),
                     Sema::LookupMemberName);
  found.suppressDiagnostics();
  sema.LookupQualifiedName(found, record->getDefinition());
  return found.isSingleResult() ? found.getAsSingle<CXXMethodDecl>() : nullptr;
}

std::string VariableIdentifier::identifierOf(const VarDecl &variable) const {
  std::string symbol = ASTNameGenerator(sema.getASTContext()).getName(&variable);
  // The device's side, passes/base.py, does the same.
  return variable.isExternallyVisible() || unique.empty() ? symbol : symbol + "$" + unique;
}

Expr *VariableIdentifier::call(VarDecl &variable) {
  ASTContext &context = sema.getASTContext();
  SourceLocation place = variable.getLocation();
  QualType type = variable.getType();
  auto number = [&](QualType of) -> Expr * {
    QualType size = context.getSizeType();
    llvm::APInt value(context.getTypeSize(size), context.getTypeSizeInChars(of).getQuantity());
    return IntegerLiteral::Create(context, value, size, place);
  };
  Expr *object = sema.BuildDeclRefExpr(&variable, type, VK_LValue, place);
  ExprResult address = sema.CreateBuiltinUnaryOp(place, UO_AddrOf, object);
  std::string identifier = identifierOf(variable);
  Expr *text = StringLiteral::Create(
      context, identifier, StringLiteralKind::Ordinary, /*Pascal=*/false,
      context.getStringLiteralArrayType(context.CharTy, identifier.size()), place);
  CXXMethodDecl *function = functionFor(variable);
  Expr *callee = sema.BuildDeclRefExpr(function, function->getType(), VK_LValue, place);
  Expr *arguments[] = {address.get(), number(type), number(context.getBaseElementType(type)), text};
  return sema.BuildCallExpr(/*S=*/nullptr, callee, place, arguments, place).get();
}

void VariableIdentifier::emit() {
  ASTContext &context = sema.getASTContext();
  llvm::SmallVector<VarDecl *> definitions;
  // What code initialises as the program starts would forget it again; devices have no such code,
  // and the device's compilation says so.
  for (VarDecl *variable : variables)
    if (VarDecl *found = variable->getDefinition(context);
        found && !found->isStaticLocal() && found->hasConstantInitialization())
      definitions.push_back(found);
  if (definitions.empty())
    return;
  SourceLocation place = definitions.front()->getLocation();
  QualType type = context.getFunctionType(context.VoidTy, {}, {});
  auto *function = FunctionDecl::Create(context, context.getTranslationUnitDecl(), place, place,
                                        &context.Idents.get("__dovetail_identify_variables"), type,
                                        context.getTrivialTypeSourceInfo(type, place), SC_Static);
  function->setImplicit();
  QualType size = context.getSizeType();
  Expr *first = IntegerLiteral::Create(context, llvm::APInt(context.getTypeSize(size), priority),
                                       size, place);
  function->addAttr(ConstructorAttr::CreateImplicit(context, first));
  function->addAttr(UsedAttr::CreateImplicit(context));
  llvm::SmallVector<Stmt *> calls;
  {
    Sema::SynthesizedFunctionScope scope(sema, function);
    for (VarDecl *variable : definitions)
      if (Expr *made = call(*variable))
        calls.push_back(made);
  }
  function->setBody(CompoundStmt::Create(context, calls, FPOptionsOverride(), place, place));
  sema.Consumer.HandleTopLevelDecl(DeclGroupRef(function));
}

} // namespace dovetail
