// Gets and sets properties that are not attributes: metadata of variables, execution modes of
// kernels and annotations of pointers.
#pragma once

#include "metadata.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// Returns the nodes attached to global variables as `Kind`, by variable name.
std::map<std::string, MetadataNode> globalVariableMetadata(ModuleHandle &Handle,
                                                           const std::string &Kind);
/// nullopt removes the node.
void setGlobalVariableMetadata(ModuleHandle &Handle, const std::string &Kind,
                               const std::map<std::string, std::optional<MetadataNode>> &Nodes);

/// A function, an execution mode and its operands.
using ExecutionMode = std::pair<std::string, MetadataNode>;

/// Returns the execution modes in !spirv.ExecutionMode, in its order.
std::vector<ExecutionMode> executionModes(ModuleHandle &Handle);
/// Replaces all execution modes.
void setExecutionModes(ModuleHandle &Handle, const std::vector<ExecutionMode> &Modes);

/// Returns the texts in calls of llvm.ptr.annotation, each once.
std::vector<std::string> pointerAnnotations(ModuleHandle &Handle);
/// Replaces the listed texts in these calls. A call with a text that maps to nullopt is replaced by
/// its pointer.
void setPointerAnnotations(ModuleHandle &Handle,
                           const std::map<std::string, std::optional<std::string>> &Texts);

} // namespace dovetail
