// Classes that functions take by value.
#pragma once

#include "llvm/IR/PassManager.h"

namespace dovetail {

class ModuleHandle;

/// Has functions, but not kernels, take pointers to classes that they copy themselves if they have
/// to, in the place of `byval` pointers, of which whoever generates code makes the copies.
void passByReference(ModuleHandle &M);

/// The same as a pass of LLVM's pipelines.
struct PassByReference : llvm::PassInfoMixin<PassByReference> {
  static constexpr const char *PassName = "pass-by-reference";

  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
};

} // namespace dovetail
