// Whether a symbol means the same in every source.
#pragma once

#include "clang/AST/Type.h"

namespace clang {
class FunctionDecl;
}

namespace dovetail {

/// Whether another source may have another function, or another type, of that name. What is local
/// to a function is as good as the function's name.
bool isInternal(const clang::FunctionDecl &function);
bool isInternal(clang::QualType type);

} // namespace dovetail
