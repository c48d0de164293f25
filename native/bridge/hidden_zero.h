// A zero that optimizers cannot compute.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"

namespace dovetail {

/// Defines an `i64` at the start of a function: the two highest bits of `Query(0)`, which are never
/// set. Optimizers would convert a single bit to a condition with two known masks.
llvm::Instruction *createHiddenZero(llvm::Function &F, llvm::StringRef Query);

} // namespace dovetail
