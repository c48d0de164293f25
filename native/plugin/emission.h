// Potentially evaluated code for which clang generates nothing: branches that cannot be taken, and
// constants, which it replaces by their values.
#pragma once

#include <optional>

namespace clang {
class ASTContext;
class Expr;
class MemberExpr;
class Stmt;
} // namespace clang

namespace dovetail {

/// Returns the value of a condition that is a constant.
std::optional<bool> constantCondition(const clang::Expr &Cond, const clang::ASTContext &Ctx);

/// Whether code outside a statement can jump into it.
bool canBeEntered(const clang::Stmt *S);

/// Whether a member belongs to a constant object, so that no load is generated.
bool isMemberOfConstant(const clang::MemberExpr &ME);

} // namespace dovetail
