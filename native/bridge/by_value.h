// Classes passed by value.
#pragma once

#include "llvm/IR/PassManager.h"

namespace dovetail {

class ModuleHandle;

/// Replaces `byval` parameters of functions, but not of kernels, by plain pointers to classes that
/// the callee copies if it has to. Otherwise the code generator copies them.
void passByReference(ModuleHandle &Handle);

/// passByReference() as a pass for LLVM's pipelines.
struct PassByReference : llvm::PassInfoMixin<PassByReference> {
  static constexpr const char *PassName = "pass-by-reference";

  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
};

} // namespace dovetail
