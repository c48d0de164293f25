// What must not change when code is generated for a function.
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
  /// For each basic block, in order, its divisions and remainders of integers, and its loads.
  std::vector<std::pair<unsigned, unsigned>> Blocks;
};

/// Of all functions that have a body.
std::vector<FunctionShape> functionShapes(ModuleHandle &Handle);

} // namespace dovetail
