// The call graph of a module, read from LLVM's use lists.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// The kinds of references to functions. dovetail.ir.EdgeKind has the same values.
enum class EdgeKind : int32_t {
  DirectCall = 0,
  AddressTaken = 1,    ///< by an instruction
  ThroughConstant = 2, ///< by a constant expression or an initial value
  ConditionalCall = 3, ///< as the action of a conditional call (conditional_calls.h)
};

/// Parallel arrays. Functions are numbered by their index in `Names`, function types in the order
/// in which they occur.
struct CallGraphData {
  std::vector<std::string> Names;
  /// One element per edge. The source is -1 if a global variable or an alias refers to the target.
  std::vector<int32_t> Sources;
  std::vector<int32_t> Targets;
  std::vector<int32_t> Kinds;
  /// One element per function.
  std::vector<int32_t> Types;
  /// The functions that call through pointers, and the called types. Each pair occurs once.
  std::vector<int32_t> IndirectCallers;
  std::vector<int32_t> IndirectTypes;
};

/// Declarations with the attribute `Conditional` make conditional calls. If it is empty, there are
/// none.
CallGraphData callGraph(ModuleHandle &Handle, const std::string &Conditional);

} // namespace dovetail
