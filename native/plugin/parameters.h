//===- How a kernel's parameters look in memory ------------------------------------------*- C++
//-*-===//
#ifndef DOVETAIL_PLUGIN_PARAMETERS_H
#define DOVETAIL_PLUGIN_PARAMETERS_H

#include "facts.h"

namespace clang {
class ASTContext;
class FunctionDecl;
class ParmVarDecl;
} // namespace clang

namespace dovetail {

ParameterFact describeParameter(const clang::ParmVarDecl &Parameter,
                                const clang::ASTContext &Context);

/// The function's qualified name with template arguments and parameter types.
std::string signatureOf(const clang::FunctionDecl &F, const clang::ASTContext &Context);

} // namespace dovetail

#endif
