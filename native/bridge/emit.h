// Code generation.
#pragma once

#include "target.h"

#include <string>

namespace dovetail {

class ModuleHandle;

/// An object file (for SPIR-V a binary module) or, with `assembly`, its text. An empty triple means
/// the module's own. The module stays as it is.
std::string emitCode(ModuleHandle &module, const std::string &triple, const TargetRequest &request,
                     bool assembly);

} // namespace dovetail
