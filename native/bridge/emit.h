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
  FunctionAttributeChanges attributes;
  /// Bitcode or textual IR. Of each comes what is called by then and not defined; nobody outside
  /// sees it.
  std::vector<std::string> libraries;
  /// How definitions are seen that are not internal: "protected", "hidden"; empty as they are.
  std::string visibility;
  /// A pipeline as for runPasses.
  std::string passes;
};

/// An object file (for SPIR-V a binary module) or, with `assembly`, its text. An empty triple means
/// the module's own. The module stays as it is: all of it is done in a process of its own.
std::string emitCode(ModuleHandle &module, const std::string &triple, const TargetRequest &request,
                     const Preparation &preparation, bool assembly);

} // namespace dovetail
