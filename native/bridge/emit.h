// Code generation.
#pragma once

#include "attributes.h"
#include "target.h"

#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// Changes to the module before code generation, in this order.
struct Preparation {
  FunctionAttributeChanges Attrs;
  /// Bitcode or textual IR. Functions that are called but not defined are linked from each, as
  /// internal.
  std::vector<std::string> Libraries;
  /// The visibility of definitions that are not internal: "protected", "hidden", or empty to keep
  /// it.
  std::string Visibility;
  /// A pipeline, as for runPasses.
  std::string Passes;
};

/// Returns an object file (for SPIR-V a binary module) or, if `IsAssembly`, its text. An empty
/// triple means the module's triple. Does not change the module, because everything runs in a
/// child.
std::string emitCode(ModuleHandle &Handle, const std::string &TripleName,
                     const TargetRequest &Request, const Preparation &Prep, bool IsAssembly);

} // namespace dovetail
