// Runs LLVM's passes, given as a textual pipeline.
#pragma once

#include "llvm/Support/Error.h"

#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace dovetail {

class ModuleHandle;

/// Runs a pipeline such as "default<O2>" or "function(infer-address-spaces)". The passes use the
/// module's target, if LLVM supports it.
void runPasses(ModuleHandle &Handle, const std::string &Pipeline, const std::string &CPU);

/// runPasses() for guarded code. If `TM` is null, the passes do not use a target.
llvm::Error runPipeline(llvm::Module &M, const std::string &Pipeline, llvm::TargetMachine *TM);

} // namespace dovetail
