// Fences behind integers that become `half`, while LLVM optimises.
#pragma once

namespace dovetail {

class ModuleHandle;

/// Has optimisers take integers that become `half` for unknown. LLVM's InstCombine converts an
/// integer whose bits fit into the significand of `half` to a wider type at once if the `half` is
/// widened later, even if it is too large for `half` and should become infinite.
void addHalfFences(ModuleHandle &Handle);

/// Removes those fences, which back-ends do not all know.
void removeHalfFences(ModuleHandle &Handle);

} // namespace dovetail
