#include "emission.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace dovetail {

std::optional<bool> constantCondition(const Expr &condition, const ASTContext &context) {
  Expr::EvalResult value;
  if (condition.isValueDependent() || !condition.EvaluateAsInt(value, context))
    return std::nullopt;
  return value.Val.getInt().getBoolValue();
}

bool canBeEntered(const Stmt *statement) {
  return statement && (isa<LabelStmt, SwitchCase>(statement) ||
                       llvm::any_of(statement->children(), canBeEntered));
}

bool isOfConstant(const MemberExpr &member) {
  const Expr *object = &member;
  while (const auto *inner = dyn_cast<MemberExpr>(object))
    object = inner->getBase()->IgnoreParens();
  const auto *named = dyn_cast<DeclRefExpr>(object);
  return named && named->isNonOdrUse() == NOUR_Constant;
}

} // namespace dovetail
