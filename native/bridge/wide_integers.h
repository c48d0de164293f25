// Integers that are wider than those of any device.
#pragma once

namespace dovetail {

class ModuleHandle;

/// Rewrites code so that no integer has more than 64 bits. Each wider one becomes several of 64.
/// LLVM makes such integers of values that are stored as one type and loaded as another. Throws
/// IRError if that is not possible: products, quotients, conversions to floating point, and such
/// integers in signatures or aggregates.
void splitWideIntegers(ModuleHandle &Handle);

} // namespace dovetail
