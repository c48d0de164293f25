// Rewriting function bodies so that a failure leaves them as they were, and inlining.
#pragma once

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

#include <string>
#include <vector>

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

class ModuleHandle;

/// Inlines all calls of the named functions, and no others, and removes those that are internal.
void inlineFunctions(ModuleHandle &module, const std::vector<std::string> &names);

} // namespace dovetail
