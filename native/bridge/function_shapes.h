// What must not change when code is generated for a function.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dovetail {

class ModuleHandle;

struct FunctionShape {
  std::string name;
  /// The sizes of its local variables in bytes, in order.
  std::vector<uint64_t> variables;
  /// For each basic block, in order, its divisions and remainders of integers, and its loads.
  std::vector<std::pair<unsigned, unsigned>> blocks;
};

/// Of all functions that have a body.
std::vector<FunctionShape> functionShapes(ModuleHandle &module);

} // namespace dovetail
