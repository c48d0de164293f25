// What the value of a constant refers to.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class APValue;
class ValueDecl;
} // namespace clang

namespace dovetail {

/// Calls `found` for each function and variable whose address is in a value.
void visitReferences(const clang::APValue &value,
                     llvm::function_ref<void(const clang::ValueDecl &)> found);

} // namespace dovetail
