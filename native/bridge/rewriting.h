// Utilities for rewriting function bodies, and inlining.
#pragma once

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace dovetail {

/// Returns the functions with an instruction for which `Pred` holds. They are listed before any is
/// rewritten, because rewriting may add functions.
template <typename Predicate>
llvm::SmallVector<llvm::Function *> functionsWith(llvm::Module &M, Predicate Pred) {
  llvm::SmallVector<llvm::Function *> Found;
  for (llvm::Function &F : M)
    if (llvm::any_of(llvm::instructions(F), Pred))
      Found.push_back(&F);
  return Found;
}

class ModuleHandle;

/// Inlines all calls of the named functions, but no others, and removes those functions that are
/// internal.
void inlineFunctions(ModuleHandle &Handle, const std::vector<std::string> &Names);

} // namespace dovetail
