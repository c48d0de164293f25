// Whether a symbol denotes the same entity in all sources.
#pragma once

#include "clang/AST/Type.h"

namespace clang {
class FunctionDecl;
} // namespace clang

namespace dovetail {

/// Whether another source may have a different function or type of the same name. Local entities
/// are internal if their functions are.
bool isInternal(const clang::FunctionDecl &FD);
bool isInternal(clang::QualType T);

} // namespace dovetail
