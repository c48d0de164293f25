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
template <typename Predicate>
llvm::SmallVector<llvm::Function *> functionsWith(llvm::Module &M, Predicate Pred) {
  llvm::SmallVector<llvm::Function *> Found;
  for (llvm::Function &F : M)
    if (llvm::any_of(llvm::instructions(F), Pred))
      Found.push_back(&F);
  return Found;
}

/// Calls `rewrite`. If that throws an IRError, the function gets its body back before the error is
/// passed on.
void rewriteOrRestore(llvm::Function &F, llvm::function_ref<void()> Rewrite);

class ModuleHandle;

/// Inlines all calls of the named functions, and no others, and removes those that are internal.
void inlineFunctions(ModuleHandle &Handle, const std::vector<std::string> &Names);

} // namespace dovetail
