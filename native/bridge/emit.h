// Code generation.
#pragma once

#include "attributes.h"
#include "target.h"

#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// What is done to the module before its code is generated, in this order.
struct Preparation {
  /// Of functions, by name.
  FunctionAttributeChanges Attrs;
  /// Bitcode or textual IR. Of each comes what is called by then and not defined; nobody outside
  /// sees it.
  std::vector<std::string> Libraries;
  /// How definitions are seen that are not internal: "protected", "hidden"; empty as they are.
  std::string Visibility;
  /// A pipeline as for runPasses.
  std::string Passes;
};

/// An object file (for SPIR-V a binary module) or, with `assembly`, its text. An empty triple means
/// the module's own. The module stays as it is: all of it is done in a process of its own.
std::string emitCode(ModuleHandle &Handle, const std::string &TripleName,
                     const TargetRequest &Request, const Preparation &Prep, bool Assembly);

} // namespace dovetail
