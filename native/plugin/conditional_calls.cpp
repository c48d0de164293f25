#include "conditional_calls.h"
#include "properties.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace dovetail {

namespace {

constexpr llvm::StringRef conditionalCallerMark = "sycl-call-if-on-device-conditionally";

/// Whether a part of a body is a call in the code that clang makes of it.
bool isCall(const Stmt &part) {
  if (const auto *construction = dyn_cast<CXXConstructExpr>(&part))
    return !construction->getConstructor()->isTrivial();
  return isa<CallExpr, CXXBindTemporaryExpr, CXXNewExpr, CXXDeleteExpr>(part);
}

void addCalls(const Stmt *part, llvm::SmallVectorImpl<const Stmt *> &calls) {
  if (!part)
    return;
  if (isCall(*part))
    calls.push_back(part);
  if (const auto *argument = dyn_cast<CXXDefaultArgExpr>(part))
    addCalls(argument->getExpr(), calls);
  for (const Stmt *child : part->children())
    addCalls(child, calls);
}

bool makesOneDirectCall(const FunctionDecl &function) {
  llvm::SmallVector<const Stmt *, 2> calls;
  addCalls(function.getBody(), calls);
  const auto *call = calls.size() == 1 ? dyn_cast<CallExpr>(calls.front()) : nullptr;
  return call && call->getDirectCallee();
}

/// And behind it the numbers of a condition, nothing else.
bool takesAction(const FunctionDecl &caller) {
  const auto *method = dyn_cast<CXXMethodDecl>(&caller);
  if (caller.getNumParams() < 2 || (method && method->isInstance()))
    return false;
  return llvm::all_of(llvm::drop_begin(caller.parameters()), [](const ParmVarDecl *number) {
    return number->getType()->isSpecificBuiltinType(BuiltinType::Int);
  });
}

bool isFunctionPointer(QualType type) {
  return type->isFunctionPointerType() || type->isMemberPointerType() ||
         type.getNonReferenceType()->isFunctionType();
}

template <unsigned Size>
void report(Sema &sema, llvm::ArrayRef<SourceLocation> places, const char (&text)[Size]) {
  DiagnosticsEngine &diagnostics = sema.getDiagnostics();
  unsigned id = diagnostics.getCustomDiagID(DiagnosticsEngine::Error, text);
  for (SourceLocation place : places)
    diagnostics.Report(place, id);
}

} // namespace

bool isConditionalCaller(const FunctionDecl &function, const ASTContext &context) {
  Properties given = propertiesOf(function, ofFunction, context);
  return llvm::any_of(given, [](const auto &property) {
    return property.first == conditionalCallerMark && property.second == "true";
  });
}

std::optional<Condition> conditionOf(const CallExpr &call, const ASTContext &context) {
  Condition condition;
  for (unsigned number = 1; number < call.getNumArgs(); ++number) {
    const Expr *argument = call.getArg(number);
    Expr::EvalResult value;
    if (!argument->EvaluateAsInt(value, context))
      return std::nullopt;
    condition.push_back(value.Val.getInt().getExtValue());
  }
  return condition;
}

void checkConditionalCaller(const FunctionDecl &caller, llvm::ArrayRef<SourceLocation> calls,
                            Sema &sema) {
  if (takesAction(caller) && isFunctionPointer(caller.getParamDecl(0)->getType()))
    return report(sema, calls,
                  "the action of a conditional call cannot be a function pointer; pass "
                  "a lambda or another function object");
  if (takesAction(caller) && caller.getReturnType()->isVoidType() && makesOneDirectCall(caller))
    return;
  bool isOfHeaders = sema.getSourceManager().isInSystemHeader(caller.getLocation());
  report(sema, isOfHeaders ? calls : caller.getLocation(),
         "a conditional caller has to take an action and then values of type 'int', to return "
         "nothing, and to make one call, a direct one of the action");
}

void reportVariableCondition(SourceLocation call, Sema &sema) {
  report(sema, call, "the condition of a conditional call has to be of integer constants");
}

} // namespace dovetail
