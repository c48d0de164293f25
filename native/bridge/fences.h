// Fences in device code while one of LLVM's default pipelines optimizes it.
#pragma once

#include "llvm/IR/PassManager.h"

namespace dovetail {

/// Adds fences, which prevent two transformations that are wrong in device code:
///
/// - InstCombine converts an integer that fits into the significand of `half`, and whose `half` is
///   widened later, directly to the wider type, even if the integer is too large for `half` and the
///   result should be infinite.
/// - SimplifyCFG connects a branch at the end of an iteration of a loop with one on the same
///   condition at the beginning of the next, and one before the loop with one in it. If work-items
///   wait for each other in the loop, they then reach the same barrier by edges of different,
///   nested loops, and Intel's CPU runtime hangs.
struct AddFences : llvm::PassInfoMixin<AddFences> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
};

/// Removes these fences, which not all back-ends support.
struct RemoveFences : llvm::PassInfoMixin<RemoveFences> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
};

} // namespace dovetail
