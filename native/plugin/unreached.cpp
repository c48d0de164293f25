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

/// Returns the call operator with the code of a lambda's static invoker.
const FunctionDecl *callOperatorOf(const CXXMethodDecl &Invoker) {
  const CXXRecordDecl *Closure = Invoker.getParent();
  FunctionTemplateDecl *Generic = Closure->getDependentLambdaCallOperator();
  if (!Generic || !Invoker.getTemplateSpecializationArgs())
    return Closure->getLambdaCallOperator();
  void *InsertPos = nullptr;
  return Generic->findSpecialization(Invoker.getTemplateSpecializationArgs()->asArray(), InsertPos);
}

} // namespace

void UnreachedFunctions::addVariable(const VarDecl &VD) {
  const VarDecl *Def = VD.getDefinition(Ctx);
  if (!Def || !Variables.insert(Def))
    return;
  if (Def->isStaticLocal())
    if (auto *Around = dyn_cast<FunctionDecl>(Def->getDeclContext())) {
      addFunction(*Around);
      if (const FunctionDecl *FD = Around->getDefinition())
        Statics[const_cast<FunctionDecl *>(FD)].push_back(const_cast<VarDecl *>(Def));
    }
  if (Def->getInit() && Def->hasConstantInitialization())
    if (const APValue *Value = Def->evaluateValue())
      visitReferences(*Value, [&](const ValueDecl &Named) { addNamed(Named); });
  addVTablesIn(Def->getType());
}

void UnreachedFunctions::addVTablesIn(QualType T) {
  const CXXRecordDecl *RD = Ctx.getBaseElementType(T)->getAsCXXRecordDecl();
  if (!RD || !RD->hasDefinition() || !Objects.insert(RD->getDefinition()).second)
    return;
  addVTable(*RD);
  for (const CXXBaseSpecifier &Base : RD->getDefinition()->bases())
    addVTablesIn(Base.getType());
  for (const FieldDecl *Field : RD->getDefinition()->fields())
    addVTablesIn(Field->getType());
}

void UnreachedFunctions::addVTable(const CXXRecordDecl &RD) {
  if (!RD.hasDefinition() || !RD.getDefinition()->isDynamicClass() ||
      !Classes.insert(RD.getDefinition()))
    return;
  for (const CXXMethodDecl *MD : RD.getDefinition()->methods())
    if (MD->isVirtual())
      addFunction(*MD);
  for (const CXXBaseSpecifier &Base : RD.getDefinition()->bases())
    if (const CXXRecordDecl *Inherited = Base.getType()->getAsCXXRecordDecl())
      addVTable(*Inherited);
}

void UnreachedFunctions::addFunction(const FunctionDecl &FD) {
  const auto *MD = dyn_cast<CXXMethodDecl>(&FD);
  if (MD && MD->isLambdaStaticInvoker()) {
    if (const FunctionDecl *Called = callOperatorOf(*MD))
      addFunction(*Called);
    return;
  }
  const FunctionDecl *Def = FD.getDefinition();
  if (!Def || !Def->getBody() || IsReached(*Def) ||
      !Functions.insert(const_cast<FunctionDecl *>(Def)))
    return;
  if (const auto *Dtor = dyn_cast<CXXDestructorDecl>(Def))
    addDestructors(*Dtor->getParent());
}

/// Adds the destructors that a class's destructor calls after its body.
void UnreachedFunctions::addDestructors(const CXXRecordDecl &RD) {
  auto Add = [&](QualType T) {
    const CXXRecordDecl *Part = Ctx.getBaseElementType(T)->getAsCXXRecordDecl();
    if (Part && Part->hasDefinition())
      if (const CXXDestructorDecl *Dtor = Part->getDestructor())
        addFunction(*Dtor);
  };
  for (const FieldDecl *Field : RD.fields())
    Add(Field->getType());
  for (const CXXBaseSpecifier &Base : RD.bases())
    Add(Base.getType());
}

void UnreachedFunctions::addNamed(const ValueDecl &D) {
  if (const auto *FD = dyn_cast<FunctionDecl>(&D))
    addFunction(*FD);
  else if (const auto *VD = dyn_cast<VarDecl>(&D); VD && !isa<ParmVarDecl>(VD))
    addVariable(*VD);
}

void UnreachedFunctions::empty() {
  for (FunctionDecl *FD : Functions) {
    SourceLocation Loc = FD->getLocation();
    llvm::SmallVector<Stmt *> Stmts;
    if (auto Found = Statics.find(FD); Found != Statics.end())
      for (VarDecl *VD : Found->second)
        Stmts.push_back(new (Ctx) DeclStmt(DeclGroupRef(VD), Loc, Loc));
    FD->setBody(CompoundStmt::Create(Ctx, Stmts, FPOptionsOverride(), Loc, Loc));
    if (auto *Ctor = dyn_cast<CXXConstructorDecl>(FD)) {
      Ctor->setNumCtorInitializers(0);
      Ctor->setCtorInitializers(nullptr);
    }
  }
}

} // namespace dovetail
