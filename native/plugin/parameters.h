// How a kernel's parameters look in memory.
#pragma once

#include "facts.h"

namespace clang {
class ASTContext;
class FunctionDecl;
class ParmVarDecl;
} // namespace clang

namespace dovetail {

ParameterFact describeParameter(const clang::ParmVarDecl &parameter,
                                const clang::ASTContext &context);

/// The function's qualified name with template arguments and parameter types.
std::string signatureOf(const clang::FunctionDecl &function, const clang::ASTContext &context);

} // namespace dovetail
