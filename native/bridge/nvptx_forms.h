// Forms of IR that LLVM and ptxas compile correctly for NVIDIA's GPUs, as passes.
#pragma once

#include "llvm/IR/PassManager.h"

namespace dovetail {

/// Copies the bits of floating-point numbers into another register where they are used as integers.
/// LLVM uses one register for a number and its bits. If an instruction has written it as a number,
/// ptxas takes a store of its lower bits, or their extension, for a conversion to an integer.
struct SeparateFloatBits : llvm::PassInfoMixin<SeparateFloatBits> {
  static constexpr const char *PassName = "separate-float-bits";

  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
};

/// Keeps `x > -0.0 ? x : -0.0` and `x < 0.0 ? x : 0.0` selections. LLVM makes a maximum or minimum
/// of them, which has another sign than the source says if `x` is the other zero.
struct KeepZeroSigns : llvm::PassInfoMixin<KeepZeroSigns> {
  static constexpr const char *PassName = "keep-zero-signs";

  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
};

} // namespace dovetail
