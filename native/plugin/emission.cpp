#include "emission.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace dovetail {

std::optional<bool> constantCondition(const Expr &Cond, const ASTContext &Ctx) {
  Expr::EvalResult Value;
  if (Cond.isValueDependent() || !Cond.EvaluateAsInt(Value, Ctx))
    return std::nullopt;
  return Value.Val.getInt().getBoolValue();
}

bool canBeEntered(const Stmt *S) {
  return S && (isa<LabelStmt, SwitchCase>(S) || llvm::any_of(S->children(), canBeEntered));
}

bool isMemberOfConstant(const MemberExpr &ME) {
  const Expr *Object = &ME;
  while (const auto *Inner = dyn_cast<MemberExpr>(Object))
    Object = Inner->getBase()->IgnoreParens();
  const auto *Named = dyn_cast<DeclRefExpr>(Object);
  return Named && Named->isNonOdrUse() == NOUR_Constant;
}

} // namespace dovetail
