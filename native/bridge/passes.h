// LLVM's own passes, by their textual pipeline.
#pragma once

#include <string>

namespace dovetail {

class ModuleHandle;

/// Runs a pipeline such as "default<O2>" or "function(infer-address-spaces)". The passes know the
/// module's target if LLVM has it.
void runPasses(ModuleHandle &module, const std::string &pipeline, const std::string &cpu);

} // namespace dovetail
