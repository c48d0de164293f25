// Negated floating-point numbers in functions that wait for other work-items.
#pragma once

#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// Has functions that wait for other work-items, those that they call, and those that other modules
/// may call, flip signs, and signed integers that become numbers, with a mask that no optimiser can
/// compute, so that none of them becomes a negation. To wait is to call a function
/// whose name has one of the texts `barriers` in it. The mask depends on the highest bit of what
/// the function `query` returns for 0, which is never set.
void hideNegations(ModuleHandle &module, const std::vector<std::string> &barriers,
                   const std::string &query);

} // namespace dovetail
