// The spelling of types and names in messages. It omits the locations of lambdas, since messages
// have locations of their own.
#pragma once

#include "clang/AST/Type.h"
#include <string>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace dovetail {

/// Returns a type as written in the source, in quotes.
std::string quoted(clang::QualType T, const clang::ASTContext &Ctx);

/// Returns a function's name with namespaces and template arguments.
std::string nameOf(const clang::FunctionDecl &FD, const clang::ASTContext &Ctx);

} // namespace dovetail
