// Values of which drivers must know nothing, because they would fold what is computed of them
// wrongly.
#pragma once

#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// Hides values behind an exclusive or with a mask that no optimiser can compute:
/// - in all functions, integers that become floating-point numbers, numbers that become `half`, and
///   quotients that may be zero by zero, and signs of integers that may have wrapped around;
/// - in functions that wait for other work-items, those that they call, and those that other
///   modules may call, numbers that are negated.
/// To wait is to call a function whose name has one of the texts `barriers` in it. The mask depends
/// on the highest bit of what the function `query` returns for 0, which is never set.
void hideValues(ModuleHandle &Handle, const std::vector<std::string> &Barriers,
                const std::string &Query);

} // namespace dovetail
