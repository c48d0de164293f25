// Integers that are wider than those of devices.
#pragma once

namespace dovetail {

class ModuleHandle;

/// Rewrites code so that no integer has more than 64 bits. Wider integers are split into several of
/// 64 bits. LLVM creates such integers from values that are stored as one type and loaded as
/// another. Throws an IRError and changes no function if that is not possible: quotients,
/// conversions to floating point, and such integers in signatures or aggregates.
void splitWideIntegers(ModuleHandle &Handle);

} // namespace dovetail
