// Which function refers to which, read off LLVM's use lists in one go.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// How a function is referred to. dovetail.ir.EdgeKind has the same numbers.
enum class EdgeKind : int32_t {
  directCall = 0,
  addressTaken = 1,    ///< by an instruction
  throughConstant = 2, ///< by a constant expression or an initial value
  conditionalCall = 3, ///< as the action of a conditional call (conditional_calls.h)
};

/// Parallel arrays; functions by their index in `names`, types of functions by numbers in the order
/// in which they are met.
struct CallGraphData {
  std::vector<std::string> names;
  /// One element an edge. The source is -1 when a global variable or an alias refers to the target.
  std::vector<int32_t> sources;
  std::vector<int32_t> targets;
  std::vector<int32_t> kinds;
  /// One element a function.
  std::vector<int32_t> types;
  /// Which functions call through pointers, and functions of which types; each pair once.
  std::vector<int32_t> indirectCallers;
  std::vector<int32_t> indirectTypes;
};

/// Functions that are declared with the attribute make conditional calls; none, if it is empty.
CallGraphData callGraph(ModuleHandle &module, const std::string &conditional);

} // namespace dovetail
