// The functions and variables that the value of a constant refers to.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class APValue;
class ValueDecl;
} // namespace clang

namespace dovetail {

/// Calls `Callback` for each function and variable whose address is part of a value.
void visitReferences(const clang::APValue &Value,
                     llvm::function_ref<void(const clang::ValueDecl &)> Callback);

} // namespace dovetail
