#include "body.h"
#include "emission.h"
#include "findings.h"
#include "spelling.h"
#include "variable_properties.h"
#include "variables.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/EvaluatedExprVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtSYCL.h"
#include "clang/Basic/TargetInfo.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using llvm::StringRef;

namespace dovetail {

namespace {

/// Clang's own functions, and those that its SPIR-V back-end knows by name. Other devices have
/// functions on numbers from a library, or lack them, and who calls one is then asked for.
bool isBuiltin(const FunctionDecl &function) {
  if (function.getBuiltinID() && !function.isDefined())
    return true;
  const IdentifierInfo *name = function.getIdentifier();
  if (!name || !name->getName().starts_with("__spirv_"))
    return false;
  bool isKnown = function.getASTContext().getTargetInfo().getTriple().isSPIRV();
  return isKnown || !name->getName().starts_with("__spirv_ocl_");
}

class BodyReader : public ConstEvaluatedExprVisitor<BodyReader> {
  using Base = ConstEvaluatedExprVisitor<BodyReader>;

public:
  BodyReader(const FunctionDecl &function, AspectMarks &marks, const ASTContext &context)
      : Base(context), function(function), marks(marks), found(function, marks, context) {}

  Body read(bool isEntry) {
    if (isEntry)
      marked(function, "mark of function ", function.getLocation());
    signature();
    if (const auto *constructor = dyn_cast<CXXConstructorDecl>(&function))
      for (const CXXCtorInitializer *part : constructor->inits())
        Visit(part->getInit());
    if (const Stmt *statements = function.getBody())
      Visit(statements);
    if (const auto *destructor = dyn_cast<CXXDestructorDecl>(&function))
      destroyParts(*destructor->getParent());
    return std::move(found.body);
  }

  // Statements.

  void VisitSYCLKernelCallStmt(const SYCLKernelCallStmt *statement) {
    Visit(statement->getOutlinedFunctionDecl()->getBody());
  }

  void VisitDeclStmt(const DeclStmt *statement) {
    for (const Decl *declaration : statement->decls())
      if (const auto *variable = dyn_cast<VarDecl>(declaration))
        define(*variable);
  }

  void VisitIfStmt(const IfStmt *statement) {
    if (!statement->isConstexpr() && !statement->isConsteval())
      return visitRuntimeIf(*statement);
    visitIfThere(statement->getInit());
    if (statement->isConsteval())
      // No device evaluates anything while it compiles.
      return visitIfThere(statement->isNegatedConsteval() ? statement->getThen()
                                                          : statement->getElse());
    visitIfThere(statement->getConditionVariableDeclStmt());
    if (auto taken = statement->getNondiscardedCase(Context))
      visitIfThere(*taken);
  }

  void VisitConditionalOperator(const ConditionalOperator *choice) {
    Visit(choice->getCond());
    std::optional<bool> value = constantCondition(*choice->getCond(), Context);
    visitBranch(choice->getTrueExpr(), value.value_or(true));
    visitBranch(choice->getFalseExpr(), !value.value_or(false));
  }

  void VisitCaseStmt(const CaseStmt *statement) { visitIfThere(statement->getSubStmt()); }

  void VisitCXXTryStmt(const CXXTryStmt *statement) {
    found.violation("try", "catches exceptions", statement->getTryLoc());
    VisitStmt(statement);
  }

  void VisitCXXCatchStmt(const CXXCatchStmt *statement) {
    if (const VarDecl *variable = statement->getExceptionDecl())
      define(*variable);
    VisitStmt(statement);
  }

  // Objects and values.

  void VisitConstantExpr(const ConstantExpr *expression) {
    if (!expression->isImmediateInvocation())
      return VisitExpr(expression);
    found.type("constant of type ", expression->getType(), expression->getExprLoc());
  }

  void VisitFloatingLiteral(const FloatingLiteral *literal) {
    found.type("literal of type ", literal->getType(), literal->getExprLoc());
  }

  void VisitImaginaryLiteral(const ImaginaryLiteral *literal) {
    found.type("literal of type ", literal->getType(), literal->getExprLoc());
  }

  void VisitMaterializeTemporaryExpr(const MaterializeTemporaryExpr *temporary) {
    // A lambda says itself what it is.
    if (!isa<LambdaExpr>(temporary->getSubExpr()->IgnoreImplicit()))
      found.type("temporary of type ", temporary->getType(), temporary->getExprLoc());
    VisitExpr(temporary);
  }

  void VisitCXXScalarValueInitExpr(const CXXScalarValueInitExpr *value) {
    found.type("temporary of type ", value->getType(), value->getExprLoc());
  }

  void VisitCompoundLiteralExpr(const CompoundLiteralExpr *literal) {
    found.type("literal of type ", literal->getType(), literal->getExprLoc());
    VisitExpr(literal);
  }

  void VisitCXXConstructExpr(const CXXConstructExpr *construction) {
    found.type("object of type ", construction->getType(), construction->getLocation());
    call(*construction->getConstructor(), construction->getLocation());
    VisitExpr(construction);
  }

  void VisitCXXInheritedCtorInitExpr(const CXXInheritedCtorInitExpr *construction) {
    call(*construction->getConstructor(), construction->getLocation());
  }

  void VisitCXXBindTemporaryExpr(const CXXBindTemporaryExpr *temporary) {
    call(*temporary->getTemporary()->getDestructor(), temporary->getExprLoc());
    VisitExpr(temporary);
  }

  void VisitLambdaExpr(const LambdaExpr *lambda) {
    found.type("object of type ", lambda->getType(), lambda->getExprLoc());
    Base::VisitLambdaExpr(lambda);
  }

  void VisitInitListExpr(const InitListExpr *list) {
    // Of a class, whoever defines the object is counted.
    if (list->getType()->isScalarType())
      found.type("temporary of type ", list->getType(), list->getExprLoc());
    VisitExpr(list);
    visitIfThere(list->getArrayFiller());
  }

  void VisitCXXNewExpr(const CXXNewExpr *expression) {
    found.type("new object of type ", expression->getAllocatedType(), expression->getExprLoc());
    if (const FunctionDecl *allocation = expression->getOperatorNew())
      call(*allocation, expression->getExprLoc());
    VisitExpr(expression);
  }

  void VisitCXXDeleteExpr(const CXXDeleteExpr *expression) {
    SourceLocation place = expression->getExprLoc();
    QualType type = Context.getBaseElementType(expression->getDestroyedType());
    const CXXRecordDecl *record = type->getAsCXXRecordDecl();
    const CXXDestructorDecl *destructor = record ? record->getDestructor() : nullptr;
    if (destructor && destructor->isVirtual() && !record->isEffectivelyFinal())
      virtualCall(*destructor, place);
    else
      destroy(type, place);
    if (const FunctionDecl *release = expression->getOperatorDelete())
      call(*release, place);
    VisitExpr(expression);
  }

  void VisitCXXThrowExpr(const CXXThrowExpr *expression) {
    found.violation("throw", "throws an exception", expression->getThrowLoc());
    if (const Expr *thrown = expression->getSubExpr())
      found.type("exception of type ", thrown->getType(), expression->getThrowLoc());
    VisitExpr(expression);
  }

  void VisitExplicitCastExpr(const ExplicitCastExpr *cast) {
    found.type("cast to ", cast->getTypeAsWritten(), cast->getExprLoc());
    VisitExpr(cast);
  }

  void VisitImplicitCastExpr(const ImplicitCastExpr *cast) {
    // Most implicit casts change no type that matters: loads, and conversions between the same.
    bool converts = cast->getCastKind() != CK_LValueToRValue && !cast->isPartOfExplicitCast() &&
                    found.isAdded(cast->getType(), cast->getSubExpr()->getType());
    if (converts)
      found.type("implicit conversion to ", cast->getType(), cast->getExprLoc());
    VisitExpr(cast);
  }

  void VisitCXXDefaultArgExpr(const CXXDefaultArgExpr *argument) { Visit(argument->getExpr()); }

  void VisitCXXDefaultInitExpr(const CXXDefaultInitExpr *initializer) {
    visitIfThere(initializer->getExpr());
  }

  // Names.

  void VisitDeclRefExpr(const DeclRefExpr *reference) {
    // Of a constant, code generation takes the value.
    llvm::SaveAndRestore emitted(found.isEmitted,
                                 found.isEmitted && reference->isNonOdrUse() == NOUR_None);
    name(*reference->getDecl(), reference->getLocation());
  }

  void VisitMemberExpr(const MemberExpr *member) {
    if (const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
        field && !isOfConstant(*member))
      found.retainObject(Context.getCanonicalTagType(field->getParent()));
    name(*member->getMemberDecl(), member->getMemberLoc());
    Visit(member->getBase());
  }

  // Addresses. Code that computes one from a class's layout uses the marks of the class, too.

  void VisitArraySubscriptExpr(const ArraySubscriptExpr *element) {
    found.retainObject(element->getType());
    VisitExpr(element);
  }

  void VisitBinaryOperator(const BinaryOperator *operation) {
    if (operation->isAdditiveOp() || operation->isCompoundAssignmentOp())
      moved(operation->getType());
    VisitExpr(operation);
  }

  void VisitUnaryOperator(const UnaryOperator *operation) {
    if (operation->isIncrementDecrementOp())
      moved(operation->getType());
    VisitExpr(operation);
  }

  // Calls.

  void VisitCallExpr(const CallExpr *expression) {
    if (expression->isUnevaluatedBuiltinCall(Context))
      return;
    const FunctionDecl *callee = expression->getDirectCallee();
    if (callee)
      directCall(*expression, *callee);
    else
      indirectCall(*expression);
    result(*expression, callee);
    for (const Expr *argument : expression->arguments())
      Visit(argument);
  }

  void VisitVAArgExpr(const VAArgExpr *expression) {
    found.violation("variadic", "uses va_arg", expression->getExprLoc());
    VisitExpr(expression);
  }

private:
  void visitIfThere(const Stmt *statement) {
    if (statement)
      Visit(statement);
  }

  void visitRuntimeIf(const IfStmt &statement) {
    visitIfThere(statement.getInit());
    visitIfThere(statement.getConditionVariableDeclStmt());
    Visit(statement.getCond());
    std::optional<bool> value = constantCondition(*statement.getCond(), Context);
    visitBranch(statement.getThen(), value.value_or(true));
    visitBranch(statement.getElse(), !value.value_or(false));
  }

  /// A use counts though the branch is never taken, but nothing is retained of it: clang generates
  /// no code for it.
  void visitBranch(const Stmt *branch, bool canBeTaken) {
    bool isEmitted = found.isEmitted && (canBeTaken || canBeEntered(branch));
    llvm::SaveAndRestore emitted(found.isEmitted, isEmitted);
    visitIfThere(branch);
  }

  void moved(QualType pointer) {
    if (pointer->isPointerType())
      found.retainObject(pointer->getPointeeType());
  }

  // The function itself.

  void signature() {
    QualType result = function.getReturnType();
    if (!result->isVoidType() && found.isMarked(result)) {
      SourceLocation place = function.getReturnTypeSourceRange().getBegin();
      found.type("return value of type ", result, place);
    }
    // Of a function that is called, the call is reported.
    if (function.isVariadic() && function.hasAttr<SYCLExternalAttr>())
      found.violation("variadic", "is variadic", function.getLocation());
    bool isEntry = function.hasAttr<SYCLKernelEntryPointAttr>();
    for (const ParmVarDecl *parameter : function.parameters())
      if (found.isMarked(parameter->getType()))
        describe(*parameter, isEntry);
    const auto *method = dyn_cast<CXXMethodDecl>(&function);
    if (method && isLambdaCallOperator(method))
      captures(*method->getParent());
  }

  void describe(const ParmVarDecl &parameter, bool isEntry) {
    const CXXRecordDecl *object = parameter.getType()->getAsCXXRecordDecl();
    // What the user wrote is the kernel object, not the parameter that it is passed by.
    if (isEntry && object)
      return parts(*object);
    typeOf("parameter", parameter.getName(), parameter.getType(), parameter.getLocation());
  }

  void typeOf(StringRef kind, StringRef name, QualType type, SourceLocation place) {
    std::string named = name.empty() ? "" : (" '" + name + "'").str();
    found.type(kind + named + " of type ", type, place);
  }

  void parts(const CXXRecordDecl &object) {
    if (object.isLambda())
      return captures(object);
    QualType type = Context.getCanonicalTagType(&object);
    for (const CXXBaseSpecifier &base : object.bases())
      found.type("base class ", base.getType(), base.getBeginLoc());
    for (const FieldDecl *field : object.fields()) {
      const CXXRecordDecl *inner = field->getType()->getAsCXXRecordDecl();
      if (inner && inner->isLambda())
        captures(*inner);
      else
        typeOf("member", field->getName(), field->getType(), field->getLocation());
    }
    // Its own mark, if none of its parts has it.
    for (const TypeMark &mark : TypeMarks(marks.of(type)))
      if (mark.relation == TypeMark::Is)
        found.type("kernel object of type ", type, object.getLocation());
  }

  void captures(const CXXRecordDecl &closure) {
    // Fields and captures of a lambda are in the same order.
    auto field = closure.field_begin();
    for (const LambdaCapture &capture : closure.captures()) {
      QualType type = field->getType();
      if (capture.capturesVariable())
        typeOf("capture", capture.getCapturedVar()->getName(), type, capture.getLocation());
      else
        found.type("capture of type ", type, capture.getLocation());
      ++field;
    }
  }

  // Objects.

  void define(const VarDecl &variable) {
    if (variable.isThisDeclarationADefinition() == VarDecl::DeclarationOnly)
      return;
    SourceLocation place = variable.getLocation();
    found.type("object of type ", variable.getType(), place);
    destroy(variable.getType(), place);
    if (variable.isStaticLocal())
      global(variable, place);
    // A constant's value is all that is left of its initialiser.
    if (!variable.isConstexpr())
      visitIfThere(variable.getInit());
    if (const auto *group = dyn_cast<DecompositionDecl>(&variable))
      for (const BindingDecl *binding : group->bindings())
        if (const VarDecl *holder = binding->getHoldingVar())
          define(*holder);
  }

  void destroy(QualType type, SourceLocation place) {
    const auto *record = Context.getBaseElementType(type)->getAsCXXRecordDecl();
    if (record && record->hasDefinition() && !record->hasTrivialDestructor())
      if (const CXXDestructorDecl *destructor = record->getDestructor())
        if (!destructor->isDeleted())
          call(*destructor, place);
  }

  /// What a destructor does behind its body.
  void destroyParts(const CXXRecordDecl &record) {
    // Nobody but the author of a union knows which of its members is alive.
    if (record.isUnion())
      return;
    for (const FieldDecl *field : record.fields())
      destroy(field->getType(), function.getLocation());
    for (const CXXBaseSpecifier &base : record.bases())
      destroy(base.getType(), function.getLocation());
  }

  void name(const ValueDecl &declaration, SourceLocation place) {
    if (const auto *variable = dyn_cast<VarDecl>(&declaration)) {
      if (variable->hasGlobalStorage())
        global(*variable, place);
      else if (variable->isConstexpr())
        references(*variable, place);
    } else if (const auto *named = dyn_cast<FunctionDecl>(&declaration)) {
      found.violation("function-pointer", "takes the address of function " + quotedName(*named),
                      place);
    }
  }

  void global(const VarDecl &variable, SourceLocation place) {
    found.body.statics.push_back(&variable);
    if (!variable.isStaticLocal())
      typeOf("global variable", variable.getName(), variable.getType(), place);
    if (hasVariableProperties(variable, Context))
      found.body.variables.push_back(&variable);
    VariableFault fault = faultOf(variable, Context);
    if (fault.rule.empty())
      return references(variable, place);
    found.violation(fault.rule,
                    ("uses " + fault.what + " variable '" + variable.getName() + "'").str(), place);
  }

  void references(const VarDecl &constant, SourceLocation place) {
    for (const VarDecl *variable : faultyReferences(constant, Context))
      found.reference(*variable, constant, place);
  }

  // Calls.

  std::string quotedName(const FunctionDecl &named) { return "'" + nameOf(named, Context) + "'"; }

  void directCall(const CallExpr &expression, const FunctionDecl &callee) {
    const Expr *called = expression.getCallee()->IgnoreParenImpCasts();
    const auto *member = dyn_cast<MemberExpr>(called);
    if (const auto *named = dyn_cast<DeclRefExpr>(called))
      nameOfCallee(*named);
    if (member) {
      nameOfCallee(*member);
      Visit(member->getBase());
    }
    const auto *method = dyn_cast<CXXMethodDecl>(&callee);
    if (!method || !method->isVirtual() || (member && member->hasQualifier()))
      return call(callee, expression.getExprLoc(), conditionIn(expression, callee));
    const Expr *object = member ? member->getBase() : expression.getArg(0);
    if (const CXXMethodDecl *actual = method->getDevirtualizedMethod(object, false))
      return call(*actual, expression.getExprLoc());
    virtualCall(*method, expression.getExprLoc());
  }

  template <class Name> void nameOfCallee(const Name &name) {
    found.templateArguments(name.template_arguments());
    NestedNameSpecifier qualifier = name.getQualifier();
    if (qualifier.getKind() == NestedNameSpecifier::Kind::Type)
      found.templateArgument(QualType(qualifier.getAsType(), 0), name.getExprLoc());
  }

  std::optional<Condition> conditionIn(const CallExpr &expression, const FunctionDecl &callee) {
    return isConditionalCaller(callee, Context) ? conditionOf(expression, Context) : std::nullopt;
  }

  /// Only the static type counts.
  void virtualCall(const CXXMethodDecl &method, SourceLocation place) {
    found.violation("virtual-call", "calls virtual function " + quotedName(method), place);
    if (method.isPureVirtual())
      marked(method, "call of ", place);
    else
      call(method, place);
  }

  void indirectCall(const CallExpr &expression) {
    const Expr *callee = expression.getCallee()->IgnoreParens();
    Visit(callee);
    if (isa<CXXPseudoDestructorExpr>(callee))
      return;
    bool isMember = isa<BinaryOperator>(callee);
    found.violation("indirect-call",
                    isMember ? "calls through a pointer to a member function"
                             : "calls through a function pointer",
                    expression.getExprLoc());
  }

  void result(const CallExpr &expression, const FunctionDecl *callee) {
    QualType type = callee ? callee->getReturnType() : expression.getCallReturnType(Context);
    if (type->isVoidType() || !found.isMarked(type))
      return;
    std::string name = callee ? " of " + quotedName(*callee) : "";
    found.type("call" + name + ", which returns ", type, expression.getExprLoc());
  }

  void marked(const FunctionDecl &named, StringRef what, SourceLocation place) {
    for (int64_t aspect : marks.of(named)) {
      found.use(aspect, what.str() + quotedName(named), place);
      found.retain(aspect);
    }
  }

  void call(const FunctionDecl &callee, SourceLocation place,
            std::optional<Condition> condition = std::nullopt) {
    marked(callee, "call of ", place);
    if (callee.isVariadic() && isForeign(callee))
      found.violation("variadic", "calls variadic function " + quotedName(callee), place);
    // What has no code needs no following.
    if (!callee.isTrivial() && !isBuiltin(callee))
      found.call(callee, place, std::move(condition));
  }

  /// Clang's own functions may be variadic: it sees to them itself.
  bool isForeign(const FunctionDecl &callee) const {
    unsigned id = callee.getBuiltinID();
    return !id || Context.BuiltinInfo.isPredefinedLibFunction(id);
  }

  const FunctionDecl &function;
  AspectMarks &marks;
  Findings found;
};

} // namespace

Body readBody(const FunctionDecl &definition, bool isEntry, AspectMarks &marks,
              const ASTContext &context) {
  return BodyReader(definition, marks, context).read(isEntry);
}

} // namespace dovetail
