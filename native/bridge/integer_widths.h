// Integers of widths that SPIR-V has no types for.
#pragma once

namespace dovetail {

class ModuleHandle;

/// Rewrites code so that all integers, also those in vectors, have 1, 8, 16, 32 or 64 bits, and so
/// that no vector of booleans is reinterpreted as an integer or the other way round. Each value of
/// another width becomes the next wider integer, whose other bits are zero. Throws IRError if that
/// is not possible: more than 64 bits, or such integers in signatures, aggregates or vectors in
/// memory.
void promoteIntegers(ModuleHandle &Handle);

/// Writes `zext (trunc x)` as a mask of `x` at the width of the result.
void maskWidenedParts(ModuleHandle &Handle);

} // namespace dovetail
