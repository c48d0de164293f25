#include "unreached.h"
#include "values.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace dovetail {

namespace {

/// The function that has the code of the one to which a lambda converts.
const FunctionDecl *callOperatorOf(const CXXMethodDecl &invoker) {
  const CXXRecordDecl *closure = invoker.getParent();
  FunctionTemplateDecl *generic = closure->getDependentLambdaCallOperator();
  if (!generic || !invoker.getTemplateSpecializationArgs())
    return closure->getLambdaCallOperator();
  void *place = nullptr;
  return generic->findSpecialization(invoker.getTemplateSpecializationArgs()->asArray(), place);
}

} // namespace

void UnreachedFunctions::addVariable(const VarDecl &variable) {
  const VarDecl *definition = variable.getDefinition(context);
  if (!definition || !variables.insert(definition))
    return;
  if (definition->isStaticLocal())
    if (auto *around = dyn_cast<FunctionDecl>(definition->getDeclContext())) {
      addFunction(*around);
      if (const FunctionDecl *function = around->getDefinition())
        statics[const_cast<FunctionDecl *>(function)].push_back(const_cast<VarDecl *>(definition));
    }
  if (definition->getInit() && definition->hasConstantInitialization())
    if (const APValue *value = definition->evaluateValue())
      visitReferences(*value, [&](const ValueDecl &named) { addNamed(named); });
  addVTablesIn(definition->getType());
}

void UnreachedFunctions::addVTablesIn(QualType type) {
  const CXXRecordDecl *record = context.getBaseElementType(type)->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || !objects.insert(record->getDefinition()).second)
    return;
  addVTable(*record);
  for (const CXXBaseSpecifier &base : record->getDefinition()->bases())
    addVTablesIn(base.getType());
  for (const FieldDecl *field : record->getDefinition()->fields())
    addVTablesIn(field->getType());
}

void UnreachedFunctions::addVTable(const CXXRecordDecl &record) {
  if (!record.hasDefinition() || !record.getDefinition()->isDynamicClass() ||
      !classes.insert(record.getDefinition()))
    return;
  for (const CXXMethodDecl *method : record.getDefinition()->methods())
    if (method->isVirtual())
      addFunction(*method);
  for (const CXXBaseSpecifier &base : record.getDefinition()->bases())
    if (const CXXRecordDecl *inherited = base.getType()->getAsCXXRecordDecl())
      addVTable(*inherited);
}

void UnreachedFunctions::addFunction(const FunctionDecl &function) {
  const auto *method = dyn_cast<CXXMethodDecl>(&function);
  if (method && method->isLambdaStaticInvoker()) {
    if (const FunctionDecl *called = callOperatorOf(*method))
      addFunction(*called);
    return;
  }
  const FunctionDecl *definition = function.getDefinition();
  if (!definition || !definition->getBody() || isReached(*definition) ||
      !functions.insert(const_cast<FunctionDecl *>(definition)))
    return;
  if (const auto *destructor = dyn_cast<CXXDestructorDecl>(definition))
    addDestructors(*destructor->getParent());
}

/// Those that a destructor of the class calls behind its body.
void UnreachedFunctions::addDestructors(const CXXRecordDecl &record) {
  auto add = [&](QualType type) {
    const CXXRecordDecl *part = context.getBaseElementType(type)->getAsCXXRecordDecl();
    if (part && part->hasDefinition())
      if (const CXXDestructorDecl *destructor = part->getDestructor())
        addFunction(*destructor);
  };
  for (const FieldDecl *field : record.fields())
    add(field->getType());
  for (const CXXBaseSpecifier &base : record.bases())
    add(base.getType());
}

void UnreachedFunctions::addNamed(const ValueDecl &declaration) {
  if (const auto *function = dyn_cast<FunctionDecl>(&declaration))
    addFunction(*function);
  else if (const auto *variable = dyn_cast<VarDecl>(&declaration);
           variable && !isa<ParmVarDecl>(variable))
    addVariable(*variable);
}

void UnreachedFunctions::empty() {
  for (FunctionDecl *function : functions) {
    SourceLocation place = function->getLocation();
    llvm::SmallVector<Stmt *> statements;
    if (auto found = statics.find(function); found != statics.end())
      for (VarDecl *variable : found->second)
        statements.push_back(new (context) DeclStmt(DeclGroupRef(variable), place, place));
    function->setBody(CompoundStmt::Create(context, statements, FPOptionsOverride(), place, place));
    if (auto *constructor = dyn_cast<CXXConstructorDecl>(function)) {
      constructor->setNumCtorInitializers(0);
      constructor->setCtorInitializers(nullptr);
    }
  }
}

} // namespace dovetail
