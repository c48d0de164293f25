// LLVM's own passes, by their textual pipeline.
#pragma once

#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace dovetail {

class ModuleHandle;

/// Runs a pipeline such as "default<O2>" or "function(infer-address-spaces)". The passes know the
/// module's target if LLVM has it.
void runPasses(ModuleHandle &Handle, const std::string &Pipeline, const std::string &CPU);

/// The same for who is inside LLVM already; without a machine the passes know no target.
void runPipeline(llvm::Module &M, const std::string &Pipeline, llvm::TargetMachine *TM);

} // namespace dovetail
