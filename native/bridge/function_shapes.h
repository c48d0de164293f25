// The properties of functions that code generation must preserve.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dovetail {

class ModuleHandle;

struct FunctionShape {
  std::string Name;
  /// The sizes of its local variables in bytes, in order.
  std::vector<uint64_t> Variables;
  /// For each basic block, in order, the numbers of its integer divisions and remainders, and of
  /// its loads.
  std::vector<std::pair<unsigned, unsigned>> Blocks;
};

/// Returns the shapes of all functions with a body.
std::vector<FunctionShape> functionShapes(ModuleHandle &Handle);

} // namespace dovetail
