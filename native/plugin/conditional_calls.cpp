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

constexpr llvm::StringRef ConditionalCallerMark = "sycl-call-if-on-device-conditionally";

/// Whether clang generates a call for a statement.
bool isCall(const Stmt &Part) {
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(&Part))
    return !Construct->getConstructor()->isTrivial();
  return isa<CallExpr, CXXBindTemporaryExpr, CXXNewExpr, CXXDeleteExpr>(Part);
}

void addCalls(const Stmt *Part, llvm::SmallVectorImpl<const Stmt *> &Calls) {
  if (!Part)
    return;
  if (isCall(*Part))
    Calls.push_back(Part);
  if (const auto *Arg = dyn_cast<CXXDefaultArgExpr>(Part))
    addCalls(Arg->getExpr(), Calls);
  for (const Stmt *Child : Part->children())
    addCalls(Child, Calls);
}

bool makesOneDirectCall(const FunctionDecl &FD) {
  llvm::SmallVector<const Stmt *, 2> Calls;
  addCalls(FD.getBody(), Calls);
  const auto *Call = Calls.size() == 1 ? dyn_cast<CallExpr>(Calls.front()) : nullptr;
  return Call && Call->getDirectCallee();
}

/// Whether the parameters are an action and the numbers of a condition.
bool acceptsAction(const FunctionDecl &Caller) {
  const auto *MD = dyn_cast<CXXMethodDecl>(&Caller);
  if (Caller.getNumParams() < 2 || (MD && MD->isInstance()))
    return false;
  return llvm::all_of(llvm::drop_begin(Caller.parameters()), [](const ParmVarDecl *Number) {
    return Number->getType()->isSpecificBuiltinType(BuiltinType::Int);
  });
}

bool isFunctionPointer(QualType T) {
  return T->isFunctionPointerType() || T->isMemberPointerType() ||
         T.getNonReferenceType()->isFunctionType();
}

template <unsigned Size>
void report(Sema &S, llvm::ArrayRef<SourceLocation> Locs, const char (&Text)[Size]) {
  DiagnosticsEngine &Diags = S.getDiagnostics();
  unsigned DiagID = Diags.getCustomDiagID(DiagnosticsEngine::Error, Text);
  for (SourceLocation Loc : Locs)
    Diags.Report(Loc, DiagID);
}

} // namespace

bool isConditionalCaller(const FunctionDecl &FD, const ASTContext &Ctx) {
  Properties Props = propertiesOf(FD, FunctionProperties, Ctx);
  return llvm::any_of(Props, [](const auto &Property) {
    return Property.first == ConditionalCallerMark && Property.second == "true";
  });
}

std::optional<Condition> conditionOf(const CallExpr &Call, const ASTContext &Ctx) {
  Condition Cond;
  // A function that is not a valid conditional caller may have no parameters.
  for (unsigned I = 1; I < Call.getNumArgs(); ++I) {
    Expr::EvalResult Value;
    if (!Call.getArg(I)->EvaluateAsInt(Value, Ctx))
      return std::nullopt;
    Cond.push_back(Value.Val.getInt().getExtValue());
  }
  return Cond;
}

void checkConditionalCaller(const FunctionDecl &Caller, llvm::ArrayRef<SourceLocation> CallLocs,
                            Sema &S) {
  if (acceptsAction(Caller) && isFunctionPointer(Caller.getParamDecl(0)->getType()))
    return report(S, CallLocs,
                  "the action of a conditional call must be a function object, not a function "
                  "pointer; pass a lambda");
  if (acceptsAction(Caller) && Caller.getReturnType()->isVoidType() && makesOneDirectCall(Caller))
    return;
  bool IsInHeader = S.getSourceManager().isInSystemHeader(Caller.getLocation());
  report(S, IsInHeader ? CallLocs : Caller.getLocation(),
         "a conditional caller must accept an action followed by 'int' parameters, return 'void', "
         "and make one call, a direct call of the action");
}

void reportNonConstantCondition(SourceLocation CallLoc, Sema &S) {
  report(S, CallLoc, "the condition of a conditional call must consist of integer constants");
}

} // namespace dovetail
