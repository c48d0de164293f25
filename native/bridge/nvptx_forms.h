// Passes that write forms of IR that LLVM and ptxas compile correctly for NVIDIA's GPUs.
#pragma once

#include "llvm/IR/PassManager.h"

namespace dovetail {

/// Copies the bits of floating-point numbers to another register where they are used as integers.
/// LLVM uses one register for a number and its bits. If an instruction wrote the register as a
/// number, ptxas compiles a store of its lower bits, or their extension, as a conversion to an
/// integer.
struct SeparateFloatBits : llvm::PassInfoMixin<SeparateFloatBits> {
  static constexpr const char *PassName = "separate-float-bits";

  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
};

/// Keeps `x > -0.0 ? x : -0.0` and `x < 0.0 ? x : 0.0` as selections. LLVM replaces them by a
/// maximum or minimum, which has the wrong sign if `x` is the other zero.
struct KeepZeroSigns : llvm::PassInfoMixin<KeepZeroSigns> {
  static constexpr const char *PassName = "keep-zero-signs";

  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
};

} // namespace dovetail
