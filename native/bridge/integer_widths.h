// Integers of widths that SPIR-V does not support.
#pragma once

namespace dovetail {

class ModuleHandle;

/// Rewrites code so that all integers, including elements of vectors, have 1, 8, 16, 32 or 64 bits,
/// and that no vector of booleans is cast to an integer or vice versa. Values of other widths are
/// computed in the next wider integer, whose other bits are zero. Throws an IRError and changes no
/// function if that is not possible: integers of more than 64 bits, or of unsupported widths in
/// signatures, aggregates or vectors in memory.
void promoteIntegers(ModuleHandle &Handle);

/// Rewrites `zext (trunc x)` as a mask of `x` in the width of the result.
void maskWidenedParts(ModuleHandle &Handle);

} // namespace dovetail
