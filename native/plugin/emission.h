// For which code that is potentially evaluated clang emits nothing: it never looks into branches
// that cannot be taken, and takes the values of constants.
#pragma once

#include <optional>

namespace clang {
class ASTContext;
class Expr;
class MemberExpr;
class Stmt;
} // namespace clang

namespace dovetail {

/// The value of a condition that clang knows without evaluating anything else.
std::optional<bool> constantCondition(const clang::Expr &condition,
                                      const clang::ASTContext &context);

/// Whether something outside a statement can jump into it.
bool canBeEntered(const clang::Stmt *statement);

/// Whether a member is read from a constant object, so that nothing is loaded.
bool isOfConstant(const clang::MemberExpr &member);

} // namespace dovetail
