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

bool hasVariableProperties(const VarDecl &variable, const ASTContext &context) {
  const auto *record = context.getBaseElementType(variable.getType())->getAsCXXRecordDecl();
  return record && !annotations(*record->getMostRecentDecl(), ofVariable).empty();
}

void VariableFinder::consider(Decl &declaration) {
  if (auto *variable = dyn_cast<VarDecl>(&declaration)) {
    if (variable->isInvalidDecl() || variable->getType()->isDependentType() ||
        !variable->hasGlobalStorage() || !hasVariableProperties(*variable, context))
      return;
    add(*variable);
  } else if (auto *record = dyn_cast<CXXRecordDecl>(&declaration)) {
    if (record->isThisDeclarationADefinition() && !record->isDependentContext())
      for (Decl *inner : record->decls())
        if (isa<VarDecl, CXXRecordDecl>(inner))
          consider(*inner);
  }
}

void VariableFinder::add(const VarDecl &variable) { variables.insert(variable.getCanonicalDecl()); }

/// Nothing on a device would run code to initialise one.
static void reportInitialization(const VarDecl &variable, Sema &sema) {
  DiagnosticsEngine &diagnostics = sema.getDiagnostics();
  unsigned id = diagnostics.getCustomDiagID(
      DiagnosticsEngine::Error,
      "%0 is a variable of the device, where no code runs to initialise it; give it a constant");
  diagnostics.Report(variable.getLocation(), id) << &variable;
}

void VariableFinder::emit(Sema &sema) const {
  llvm::SmallVector<VarDecl *> definitions;
  for (const VarDecl *variable : variables)
    if (const VarDecl *found = variable->getDefinition(context)) {
      if (!found->hasConstantInitialization())
        reportInitialization(*found, sema);
      else if (!found->isStaticLocal())
        definitions.push_back(const_cast<VarDecl *>(found));
    }
  if (definitions.empty())
    return;
  SourceLocation place = definitions.front()->getLocation();
  QualType type = context.getFunctionType(context.VoidTy, {}, {});
  auto *function = FunctionDecl::Create(context, context.getTranslationUnitDecl(), place, place,
                                        &context.Idents.get(variableUser), type,
                                        context.getTrivialTypeSourceInfo(type, place), SC_None);
  function->setImplicit();
  function->addAttr(AsmLabelAttr::CreateImplicit(context, variableUser));
  function->addAttr(SYCLExternalAttr::CreateImplicit(context));
  llvm::SmallVector<Stmt *> uses;
  {
    Sema::SynthesizedFunctionScope scope(sema, function);
    for (VarDecl *variable : definitions)
      uses.push_back(sema.BuildDeclRefExpr(variable, variable->getType(), VK_LValue, place));
  }
  function->setBody(CompoundStmt::Create(context, uses, FPOptionsOverride(), place, place));
  sema.Consumer.HandleTopLevelDecl(DeclGroupRef(function));
}

std::vector<VariableFact> VariableFinder::facts(PlaceTable &places) const {
  std::vector<VariableFact> facts;
  for (const VarDecl *variable : variables) {
    Properties attributes =
        propertiesOf(context.getBaseElementType(variable->getType()), ofVariable, context);
    if (attributes.empty())
      continue;
    const VarDecl *definition = variable->getDefinition(context);
    facts.push_back(
        {ASTNameGenerator(context).getName(variable), variable->getQualifiedNameAsString(),
         places.place((definition ? definition : variable)->getLocation()), std::move(attributes)});
  }
  return facts;
}

} // namespace dovetail
