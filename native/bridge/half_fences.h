// Fences after conversions of integers to `half`, for the time of LLVM's optimisations.
#pragma once

namespace dovetail {

class ModuleHandle;

/// Hides from optimisers that a `half` was converted from an integer. If the `half` is widened
/// later, LLVM's InstCombine converts an integer that fits into the significand of `half` directly
/// to the wider type, even if it is too large for `half` and should become infinite.
void addHalfFences(ModuleHandle &Handle);

/// Removes these fences, which not all back-ends support.
void removeHalfFences(ModuleHandle &Handle);

} // namespace dovetail
