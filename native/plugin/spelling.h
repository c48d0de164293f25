// How messages spell types and names. Where a lambda stands is told by their place.
#pragma once

#include "clang/AST/Type.h"
#include <string>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace dovetail {

/// As the source has it, in quotes.
std::string quoted(clang::QualType type, const clang::ASTContext &context);

/// With namespaces and template arguments.
std::string nameOf(const clang::FunctionDecl &function, const clang::ASTContext &context);

} // namespace dovetail
