// Where properties stand in IR, beside attributes: metadata of variables, execution modes of
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

/// The nodes attached to global variables under `kind`; variables without one are left out.
std::map<std::string, MetadataNode> globalVariableMetadata(ModuleHandle &Handle,
                                                           const std::string &Kind);
/// nullopt removes the node.
void setGlobalVariableMetadata(ModuleHandle &Handle, const std::string &Kind,
                               const std::map<std::string, std::optional<MetadataNode>> &Nodes);

/// A function, an execution mode and its operands.
using ExecutionMode = std::pair<std::string, MetadataNode>;

/// Those in !spirv.ExecutionMode, in its order.
std::vector<ExecutionMode> executionModes(ModuleHandle &Handle);
/// Replaces them all.
void setExecutionModes(ModuleHandle &Handle, const std::vector<ExecutionMode> &Modes);

/// The texts with which llvm.ptr.annotation is called, each once.
std::vector<std::string> pointerAnnotations(ModuleHandle &Handle);
/// Calls with a text that is listed get another one, or go (nullopt): the pointer takes their
/// place.
void setPointerAnnotations(ModuleHandle &Handle,
                           const std::map<std::string, std::optional<std::string>> &Texts);

} // namespace dovetail
