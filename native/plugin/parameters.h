// The types and memory layout of kernel parameters.
#pragma once

#include "facts.h"

namespace clang {
class ASTContext;
class FunctionDecl;
class ParmVarDecl;
} // namespace clang

namespace dovetail {

ParameterFact describeParameter(const clang::ParmVarDecl &Param, const clang::ASTContext &Ctx);

/// Returns a function's qualified name with template arguments and parameter types.
std::string signatureOf(const clang::FunctionDecl &FD, const clang::ASTContext &Ctx);

} // namespace dovetail
