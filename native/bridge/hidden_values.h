// Hides values from drivers, which would fold computations with them wrongly.
#pragma once

#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// Hides values by an exclusive or with a mask that no optimizer can compute:
/// - in all functions: integers that are converted to floating point, numbers that are converted to
///   `half`, quotients that may be zero divided by zero, signs of integers that may have wrapped,
///   and minima and maxima of 64-bit integers;
/// - in modules with minima or maxima of 32-bit integers: complements of such integers;
/// - in functions that wait for other work-items, that such functions call, or that other modules
///   may call: numbers that are negated.
/// A function waits if it calls a function whose name contains one of the strings `Barriers`. The
/// mask depends on the two highest bits of `Query(0)`, which are never set.
void hideValues(ModuleHandle &Handle, const std::vector<std::string> &Barriers,
                const std::string &Query);

} // namespace dovetail
