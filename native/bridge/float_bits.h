// The bits of floating-point numbers, in registers of their own.
#pragma once

#include "llvm/IR/PassManager.h"

namespace dovetail {

/// Copies the bits of floating-point numbers into another register where they are used as integers.
/// LLVM uses one register for a number and its bits. If an instruction has written it as a number,
/// ptxas takes a store of its lower bits, or their extension, for a conversion to an integer.
struct SeparateFloatBits : llvm::PassInfoMixin<SeparateFloatBits> {
  static constexpr const char *text = "separate-float-bits";

  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace dovetail
