// Rewriting function bodies so that a failure leaves them as they were.
#pragma once

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace dovetail {

/// The functions that have an instruction for which `predicate` holds. They are listed before any
/// is rewritten, since rewriting may add functions.
template <class Predicate>
llvm::SmallVector<llvm::Function *> functionsWith(llvm::Module &ir, Predicate predicate) {
  llvm::SmallVector<llvm::Function *> found;
  for (llvm::Function &function : ir)
    if (llvm::any_of(llvm::instructions(function), predicate))
      found.push_back(&function);
  return found;
}

/// Calls `rewrite`. If that throws an IRError, the function gets its body back before the error is
/// passed on.
void rewriteOrRestore(llvm::Function &function, llvm::function_ref<void()> rewrite);

} // namespace dovetail
