#include "body.h"
#include "emission.h"
#include "findings.h"
#include "library.h"
#include "spelling.h"
#include "variable_properties.h"
#include "variables.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/EvaluatedExprVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtSYCL.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/TargetInfo.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using llvm::StringRef;

namespace dovetail {

namespace {

/// Whether a function is a built-in of clang, which calls nothing, or of LLVM's SPIR-V back-end.
/// For other targets, math functions come from a library or do not exist, so their callers matter.
bool isBuiltin(const FunctionDecl &FD) {
  if (FD.getBuiltinID() && !FD.isDefined())
    return !isCalledInLibrary(FD);
  const IdentifierInfo *Name = FD.getIdentifier();
  if (!Name || !Name->getName().starts_with("__spirv_"))
    return false;
  bool IsKnown = FD.getASTContext().getTargetInfo().getTriple().isSPIRV();
  return IsKnown || !Name->getName().starts_with("__spirv_ocl_");
}

class BodyReader : public ConstEvaluatedExprVisitor<BodyReader> {
  using Base = ConstEvaluatedExprVisitor<BodyReader>;

public:
  BodyReader(const FunctionDecl &FD, AspectMarks &Marks, const ASTContext &Ctx)
      : Base(Ctx), FD(FD), Marks(Marks), Found(FD, Marks, Ctx) {}

  Body read(bool IsEntry) {
    if (IsEntry)
      useMarks(FD, "mark of function ", FD.getLocation());
    visitSignature();
    if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(&FD))
      for (const CXXCtorInitializer *Part : Ctor->inits())
        Visit(Part->getInit());
    if (const Stmt *Stmts = FD.getBody())
      Visit(Stmts);
    if (const auto *Dtor = dyn_cast<CXXDestructorDecl>(&FD))
      visitPartDestruction(*Dtor->getParent());
    return std::move(Found.Result);
  }

  // Statements.

  void VisitSYCLKernelCallStmt(const SYCLKernelCallStmt *S) {
    Visit(S->getOutlinedFunctionDecl()->getBody());
  }

  void VisitDeclStmt(const DeclStmt *S) {
    for (const Decl *D : S->decls())
      if (const auto *VD = dyn_cast<VarDecl>(D))
        visitVariable(*VD);
  }

  void VisitIfStmt(const IfStmt *S) {
    if (!S->isConstexpr() && !S->isConsteval())
      return visitRuntimeIf(*S);
    visitIfPresent(S->getInit());
    if (S->isConsteval())
      // Device code is not evaluated at compile time.
      return visitIfPresent(S->isNegatedConsteval() ? S->getThen() : S->getElse());
    visitIfPresent(S->getConditionVariableDeclStmt());
    if (auto Taken = S->getNondiscardedCase(Context))
      visitIfPresent(*Taken);
  }

  void VisitConditionalOperator(const ConditionalOperator *Choice) {
    Visit(Choice->getCond());
    std::optional<bool> Value = constantCondition(*Choice->getCond(), Context);
    visitBranch(Choice->getTrueExpr(), Value.value_or(true));
    visitBranch(Choice->getFalseExpr(), !Value.value_or(false));
  }

  void VisitCaseStmt(const CaseStmt *S) { visitIfPresent(S->getSubStmt()); }

  void VisitGCCAsmStmt(const GCCAsmStmt *S) {
    if (Context.getTargetInfo().getTriple().isSPIRV())
      Found.addViolation("inline-assembly", "contains inline assembly", S->getAsmLoc());
    VisitStmt(S);
  }

  void VisitCXXTryStmt(const CXXTryStmt *S) {
    Found.addViolation("try", "catches exceptions", S->getTryLoc());
    VisitStmt(S);
  }

  void VisitCXXCatchStmt(const CXXCatchStmt *S) {
    if (const VarDecl *VD = S->getExceptionDecl())
      visitVariable(*VD);
    VisitStmt(S);
  }

  // Objects and values.

  void VisitConstantExpr(const ConstantExpr *E) {
    if (!E->isImmediateInvocation())
      return VisitExpr(E);
    Found.addType("constant of type ", E->getType(), E->getExprLoc());
  }

  void VisitFloatingLiteral(const FloatingLiteral *Lit) {
    Found.addType("literal of type ", Lit->getType(), Lit->getExprLoc());
  }

  void VisitImaginaryLiteral(const ImaginaryLiteral *Lit) {
    Found.addType("literal of type ", Lit->getType(), Lit->getExprLoc());
  }

  void VisitMaterializeTemporaryExpr(const MaterializeTemporaryExpr *Temp) {
    // VisitLambdaExpr adds the type of a lambda.
    if (!isa<LambdaExpr>(Temp->getSubExpr()->IgnoreImplicit()))
      Found.addType("temporary of type ", Temp->getType(), Temp->getExprLoc());
    VisitExpr(Temp);
  }

  void VisitCXXScalarValueInitExpr(const CXXScalarValueInitExpr *Value) {
    Found.addType("temporary of type ", Value->getType(), Value->getExprLoc());
  }

  void VisitCompoundLiteralExpr(const CompoundLiteralExpr *Lit) {
    Found.addType("literal of type ", Lit->getType(), Lit->getExprLoc());
    VisitExpr(Lit);
  }

  void VisitCXXConstructExpr(const CXXConstructExpr *Construct) {
    Found.addType("object of type ", Construct->getType(), Construct->getLocation());
    visitCall(*Construct->getConstructor(), Construct->getLocation());
    VisitExpr(Construct);
  }

  void VisitCXXInheritedCtorInitExpr(const CXXInheritedCtorInitExpr *Construct) {
    visitCall(*Construct->getConstructor(), Construct->getLocation());
  }

  void VisitCXXBindTemporaryExpr(const CXXBindTemporaryExpr *Temp) {
    visitCall(*Temp->getTemporary()->getDestructor(), Temp->getExprLoc());
    VisitExpr(Temp);
  }

  void VisitLambdaExpr(const LambdaExpr *Lambda) {
    Found.addType("object of type ", Lambda->getType(), Lambda->getExprLoc());
    Base::VisitLambdaExpr(Lambda);
  }

  void VisitInitListExpr(const InitListExpr *List) {
    // For classes, the definition of the object counts.
    if (List->getType()->isScalarType())
      Found.addType("temporary of type ", List->getType(), List->getExprLoc());
    VisitExpr(List);
    visitIfPresent(List->getArrayFiller());
  }

  void VisitCXXNewExpr(const CXXNewExpr *E) {
    Found.addType("new object of type ", E->getAllocatedType(), E->getExprLoc());
    if (const FunctionDecl *Allocation = E->getOperatorNew())
      visitCall(*Allocation, E->getExprLoc());
    VisitExpr(E);
  }

  void VisitCXXDeleteExpr(const CXXDeleteExpr *E) {
    SourceLocation Loc = E->getExprLoc();
    QualType T = Context.getBaseElementType(E->getDestroyedType());
    const CXXRecordDecl *RD = T->getAsCXXRecordDecl();
    const CXXDestructorDecl *Dtor = RD ? RD->getDestructor() : nullptr;
    if (Dtor && Dtor->isVirtual() && !RD->isEffectivelyFinal())
      visitVirtualCall(*Dtor, Loc);
    else
      visitDestruction(T, Loc);
    if (const FunctionDecl *Deallocation = E->getOperatorDelete())
      visitCall(*Deallocation, Loc);
    VisitExpr(E);
  }

  void VisitCXXDynamicCastExpr(const CXXDynamicCastExpr *E) {
    if (E->getCastKind() == CK_Dynamic)
      Found.addViolation("rtti", "casts to a class at run time", E->getExprLoc());
    VisitExplicitCastExpr(E);
  }

  void VisitCXXTypeidExpr(const CXXTypeidExpr *E) {
    Found.addViolation("rtti", "uses run-time type information", E->getExprLoc());
    Base::VisitCXXTypeidExpr(E);
  }

  void VisitCXXThrowExpr(const CXXThrowExpr *E) {
    Found.addViolation("throw", "throws an exception", E->getThrowLoc());
    if (const Expr *Thrown = E->getSubExpr())
      Found.addType("exception of type ", Thrown->getType(), E->getThrowLoc());
    VisitExpr(E);
  }

  void VisitExplicitCastExpr(const ExplicitCastExpr *Cast) {
    Found.addType("cast to ", Cast->getTypeAsWritten(), Cast->getExprLoc());
    VisitExpr(Cast);
  }

  void VisitImplicitCastExpr(const ImplicitCastExpr *Cast) {
    // Most implicit casts add no aspect: loads, and conversions that keep the type.
    bool Converts = Cast->getCastKind() != CK_LValueToRValue && !Cast->isPartOfExplicitCast() &&
                    Found.addsMark(Cast->getType(), Cast->getSubExpr()->getType());
    if (Converts)
      Found.addType("implicit conversion to ", Cast->getType(), Cast->getExprLoc());
    VisitExpr(Cast);
  }

  void VisitCXXDefaultArgExpr(const CXXDefaultArgExpr *Arg) { Visit(Arg->getExpr()); }

  void VisitCXXDefaultInitExpr(const CXXDefaultInitExpr *Init) { visitIfPresent(Init->getExpr()); }

  // Names.

  void VisitDeclRefExpr(const DeclRefExpr *DRE) {
    // Code generation replaces a constant by its value.
    llvm::SaveAndRestore Emitted(Found.IsEmitted,
                                 Found.IsEmitted && DRE->isNonOdrUse() == NOUR_None);
    visitName(*DRE->getDecl(), DRE->getLocation());
  }

  void VisitMemberExpr(const MemberExpr *ME) {
    if (const auto *Field = dyn_cast<FieldDecl>(ME->getMemberDecl());
        Field && !isMemberOfConstant(*ME))
      Found.retainObject(Context.getCanonicalTagType(Field->getParent()));
    visitName(*ME->getMemberDecl(), ME->getMemberLoc());
    Visit(ME->getBase());
  }

  // Addresses. Code that computes an address from the layout of a class uses the class's marks.

  void VisitArraySubscriptExpr(const ArraySubscriptExpr *Element) {
    Found.retainObject(Element->getType());
    VisitExpr(Element);
  }

  void VisitBinaryOperator(const BinaryOperator *Op) {
    if (Op->isAdditiveOp() || Op->isCompoundAssignmentOp())
      visitPointerArithmetic(Op->getType());
    VisitExpr(Op);
  }

  void VisitUnaryOperator(const UnaryOperator *Op) {
    if (Op->isIncrementDecrementOp())
      visitPointerArithmetic(Op->getType());
    VisitExpr(Op);
  }

  // Calls.

  void VisitCallExpr(const CallExpr *E) {
    if (E->isUnevaluatedBuiltinCall(Context))
      return;
    const FunctionDecl *Callee = E->getDirectCallee();
    if (Callee)
      visitDirectCall(*E, *Callee);
    else
      invisitDirectCall(*E);
    visitResult(*E, Callee);
    for (const Expr *Arg : E->arguments())
      Visit(Arg);
  }

  void VisitVAArgExpr(const VAArgExpr *E) {
    // That the function is variadic is a violation already.
    if (!FD.isVariadic())
      Found.addViolation("variadic", "uses va_arg", E->getExprLoc());
    VisitExpr(E);
  }

private:
  void visitIfPresent(const Stmt *S) {
    if (S)
      Visit(S);
  }

  void visitRuntimeIf(const IfStmt &S) {
    visitIfPresent(S.getInit());
    visitIfPresent(S.getConditionVariableDeclStmt());
    Visit(S.getCond());
    std::optional<bool> Value = constantCondition(*S.getCond(), Context);
    visitBranch(S.getThen(), Value.value_or(true));
    visitBranch(S.getElse(), !Value.value_or(false));
  }

  /// Uses in a branch that is never taken count, but are not retained, since clang generates no
  /// code for the branch.
  void visitBranch(const Stmt *Branch, bool CanBeTaken) {
    bool IsEmitted = Found.IsEmitted && (CanBeTaken || canBeEntered(Branch));
    llvm::SaveAndRestore Emitted(Found.IsEmitted, IsEmitted);
    visitIfPresent(Branch);
  }

  void visitPointerArithmetic(QualType Pointer) {
    if (Pointer->isPointerType())
      Found.retainObject(Pointer->getPointeeType());
  }

  // The function itself.

  void visitSignature() {
    QualType Result = FD.getReturnType();
    if (!Result->isVoidType() && Found.isMarked(Result)) {
      SourceLocation Loc = FD.getReturnTypeSourceRange().getBegin();
      Found.addType("return value of type ", Result, Loc);
    }
    // For other functions, the violation is reported at the call.
    if (FD.isVariadic() && FD.hasAttr<SYCLExternalAttr>())
      Found.addViolation("variadic", "is variadic", FD.getLocation());
    bool IsEntry = FD.hasAttr<SYCLKernelEntryPointAttr>();
    for (const ParmVarDecl *Param : FD.parameters()) {
      checkLength(*Param);
      if (Found.isMarked(Param->getType()))
        visitParameter(*Param, IsEntry);
    }
    const auto *MD = dyn_cast<CXXMethodDecl>(&FD);
    if (MD && isLambdaCallOperator(MD))
      visitCaptures(*MD->getParent());
  }

  void visitParameter(const ParmVarDecl &Param, bool IsEntry) {
    const CXXRecordDecl *Object = Param.getType()->getAsCXXRecordDecl();
    // The user has written the kernel object, not the parameter.
    if (IsEntry && Object)
      return visitParts(*Object);
    addTypeOf("parameter", Param.getName(), Param.getType(), Param.getLocation());
  }

  void addTypeOf(StringRef Kind, StringRef Name, QualType T, SourceLocation Loc) {
    std::string Named = Name.empty() ? "" : (" '" + Name + "'").str();
    Found.addType(Kind + Named + " of type ", T, Loc);
  }

  void visitParts(const CXXRecordDecl &Object) {
    if (Object.isLambda())
      return visitCaptures(Object);
    QualType T = Context.getCanonicalTagType(&Object);
    for (const CXXBaseSpecifier &BaseSpec : Object.bases())
      Found.addType("base class ", BaseSpec.getType(), BaseSpec.getBeginLoc());
    for (const FieldDecl *Field : Object.fields()) {
      const CXXRecordDecl *Inner = Field->getType()->getAsCXXRecordDecl();
      if (Inner && Inner->isLambda())
        visitCaptures(*Inner);
      else
        addTypeOf("member", Field->getName(), Field->getType(), Field->getLocation());
    }
    // The class's own marks, unless its parts have them.
    for (const TypeMark &Mark : TypeMarks(Marks.of(T)))
      if (Mark.Rel == TypeMark::Is)
        Found.addType("kernel object of type ", T, Object.getLocation());
  }

  void visitCaptures(const CXXRecordDecl &Closure) {
    // Fields and captures of a lambda are in the same order.
    auto Field = Closure.field_begin();
    for (const LambdaCapture &Capture : Closure.captures()) {
      QualType T = Field->getType();
      if (Capture.capturesVariable())
        addTypeOf("capture", Capture.getCapturedVar()->getName(), T, Capture.getLocation());
      else
        Found.addType("capture of type ", T, Capture.getLocation());
      ++Field;
    }
  }

  // Objects.

  void visitVariable(const VarDecl &VD) {
    if (VD.isThisDeclarationADefinition() == VarDecl::DeclarationOnly)
      return;
    SourceLocation Loc = VD.getLocation();
    checkLength(VD);
    Found.addType("object of type ", VD.getType(), Loc);
    visitDestruction(VD.getType(), Loc);
    if (VD.isStaticLocal())
      visitGlobalVariable(VD, Loc);
    // Only the value remains of a constant's initializer.
    if (!VD.isConstexpr())
      visitIfPresent(VD.getInit());
    if (const auto *Group = dyn_cast<DecompositionDecl>(&VD))
      for (const BindingDecl *Binding : Group->bindings())
        if (const VarDecl *Holder = Binding->getHoldingVar())
          visitVariable(*Holder);
  }

  /// Pointers to arrays of variable length count too: they need the length at run time.
  void checkLength(const VarDecl &VD) {
    if (VD.getType()->isVariablyModifiedType())
      Found.addViolation(
          "variable-length-array",
          ("declares '" + VD.getName() + "' with a variable-length array type").str(),
          VD.getLocation());
  }

  void visitDestruction(QualType T, SourceLocation Loc) {
    const auto *RD = Context.getBaseElementType(T)->getAsCXXRecordDecl();
    if (RD && RD->hasDefinition() && !RD->hasTrivialDestructor())
      if (const CXXDestructorDecl *Dtor = RD->getDestructor())
        if (!Dtor->isDeleted())
          visitCall(*Dtor, Loc);
  }

  /// Visits the destructors that a destructor calls after its body.
  void visitPartDestruction(const CXXRecordDecl &RD) {
    // The destructor of a union destroys no members.
    if (RD.isUnion())
      return;
    for (const FieldDecl *Field : RD.fields())
      visitDestruction(Field->getType(), FD.getLocation());
    for (const CXXBaseSpecifier &BaseSpec : RD.bases())
      visitDestruction(BaseSpec.getType(), FD.getLocation());
  }

  void visitName(const ValueDecl &D, SourceLocation Loc) {
    if (const auto *VD = dyn_cast<VarDecl>(&D)) {
      if (VD->hasGlobalStorage())
        visitGlobalVariable(*VD, Loc);
      else if (VD->isConstexpr())
        visitConstant(*VD, Loc);
    } else if (const auto *Named = dyn_cast<FunctionDecl>(&D)) {
      Found.addViolation("function-pointer", "takes the address of function " + quotedName(*Named),
                         Loc);
    }
  }

  void visitGlobalVariable(const VarDecl &VD, SourceLocation Loc) {
    Found.Result.Statics.push_back(&VD);
    if (!VD.isStaticLocal())
      addTypeOf("global variable", VD.getName(), VD.getType(), Loc);
    if (hasVariableProperties(VD, Context))
      Found.Result.Variables.push_back(&VD);
    std::optional<VariableViolation> Violation = checkDeviceVariable(VD, Context);
    if (!Violation)
      return visitConstant(VD, Loc);
    Found.addViolation(Violation->Rule,
                       ("uses " + Violation->What + " variable '" + VD.getName() + "'").str(), Loc);
  }

  void visitConstant(const VarDecl &Constant, SourceLocation Loc) {
    for (const VarDecl *VD : disallowedReferences(Constant, Context))
      Found.addReference(*VD, Constant, Loc);
  }

  // Calls.

  std::string quotedName(const FunctionDecl &Named) { return "'" + nameOf(Named, Context) + "'"; }

  void visitDirectCall(const CallExpr &E, const FunctionDecl &Callee) {
    const Expr *Called = E.getCallee()->IgnoreParenImpCasts();
    const auto *ME = dyn_cast<MemberExpr>(Called);
    if (const auto *Named = dyn_cast<DeclRefExpr>(Called))
      visitNameOfCallee(*Named);
    if (ME) {
      visitNameOfCallee(*ME);
      Visit(ME->getBase());
    }
    const auto *MD = dyn_cast<CXXMethodDecl>(&Callee);
    if (!MD || !MD->isVirtual() || (ME && ME->hasQualifier()))
      return visitCall(Callee, E.getExprLoc(), conditionIn(E, Callee));
    const Expr *Object = ME ? ME->getBase() : E.getArg(0);
    if (const CXXMethodDecl *Actual = MD->getDevirtualizedMethod(Object, false))
      return visitCall(*Actual, E.getExprLoc());
    visitVirtualCall(*MD, E.getExprLoc());
  }

  template <class NameExpr> void visitNameOfCallee(const NameExpr &E) {
    Found.addTemplateArguments(E.template_arguments());
    NestedNameSpecifier Qualifier = E.getQualifier();
    if (Qualifier.getKind() == NestedNameSpecifier::Kind::Type)
      Found.addTemplateArgument(QualType(Qualifier.getAsType(), 0), E.getExprLoc());
  }

  std::optional<Condition> conditionIn(const CallExpr &E, const FunctionDecl &Callee) {
    return isConditionalCaller(Callee, Context) ? conditionOf(E, Context) : std::nullopt;
  }

  /// Counts the function of the static type.
  void visitVirtualCall(const CXXMethodDecl &MD, SourceLocation Loc) {
    Found.addViolation("virtual-call", "calls virtual function " + quotedName(MD), Loc);
    if (MD.isPureVirtual())
      useMarks(MD, "call of ", Loc);
    else
      visitCall(MD, Loc);
  }

  void invisitDirectCall(const CallExpr &E) {
    const Expr *Callee = E.getCallee()->IgnoreParens();
    Visit(Callee);
    if (isa<CXXPseudoDestructorExpr>(Callee))
      return;
    bool IsMember = isa<BinaryOperator>(Callee);
    Found.addViolation("indirect-call",
                       IsMember ? "calls through a pointer to a member function"
                                : "calls through a function pointer",
                       E.getExprLoc());
  }

  void visitResult(const CallExpr &E, const FunctionDecl *Callee) {
    QualType T = Callee ? Callee->getReturnType() : E.getCallReturnType(Context);
    if (T->isVoidType() || !Found.isMarked(T))
      return;
    std::string Name = Callee ? " of " + quotedName(*Callee) : "";
    Found.addType("call" + Name + ", which returns ", T, E.getExprLoc());
  }

  void useMarks(const FunctionDecl &Named, StringRef What, SourceLocation Loc) {
    for (int64_t Aspect : Marks.of(Named)) {
      Found.addUse(Aspect, What.str() + quotedName(Named), Loc);
      Found.retain(Aspect);
    }
  }

  void visitCall(const FunctionDecl &Callee, SourceLocation Loc,
                 std::optional<Condition> Cond = std::nullopt) {
    useMarks(Callee, "call of ", Loc);
    if (Callee.isVariadic() && isLibraryFunction(Callee) && !isPrintfOfDevice(Callee))
      Found.addViolation("variadic", "calls variadic function " + quotedName(Callee), Loc);
    // Trivial functions and built-ins have no body to follow.
    if (!Callee.isTrivial() && !isBuiltin(Callee))
      Found.addCall(Callee, Loc, std::move(Cond));
  }

  /// Clang's built-ins may be variadic, since clang expands them.
  bool isLibraryFunction(const FunctionDecl &Callee) const {
    unsigned ID = Callee.getBuiltinID();
    return !ID || Context.BuiltinInfo.isPredefinedLibFunction(ID);
  }

  /// Whether the callee is printf, on a device that can print.
  bool isPrintfOfDevice(const FunctionDecl &Callee) const {
    return Callee.getBuiltinID() == Builtin::BIprintf &&
           !Context.getTargetInfo().getTriple().isAMDGCN();
  }

  const FunctionDecl &FD;
  AspectMarks &Marks;
  Findings Found;
};

} // namespace

Body readBody(const FunctionDecl &Def, bool IsEntry, AspectMarks &Marks, const ASTContext &Ctx) {
  return BodyReader(Def, Marks, Ctx).read(IsEntry);
}

} // namespace dovetail
