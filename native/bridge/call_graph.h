// Which function refers to which, read off LLVM's use lists in one go.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// How a function is referred to. dovetail.ir.EdgeKind has the same numbers.
enum class EdgeKind : int32_t {
  DirectCall = 0,
  AddressTaken = 1,    ///< by an instruction
  ThroughConstant = 2, ///< by a constant expression or an initial value
  ConditionalCall = 3, ///< as the action of a conditional call (conditional_calls.h)
};

/// Parallel arrays; functions by their index in `names`, types of functions by numbers in the order
/// in which they are met.
struct CallGraphData {
  std::vector<std::string> Names;
  /// One element an edge. The source is -1 when a global variable or an alias refers to the target.
  std::vector<int32_t> Sources;
  std::vector<int32_t> Targets;
  std::vector<int32_t> Kinds;
  /// One element a function.
  std::vector<int32_t> Types;
  /// Which functions call through pointers, and functions of which types; each pair once.
  std::vector<int32_t> IndirectCallers;
  std::vector<int32_t> IndirectTypes;
};

/// Functions that are declared with the attribute make conditional calls; none, if it is empty.
CallGraphData callGraph(ModuleHandle &Handle, const std::string &Conditional);

} // namespace dovetail
