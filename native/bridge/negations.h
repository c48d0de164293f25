// Negated numbers that are needed behind a barrier.
#pragma once

#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// Writes negated floating-point numbers to memory and reads them again, both volatile, if they, or
/// what is computed from them, may be used behind a barrier. Barriers are calls of functions whose
/// names have one of `barriers` in them, and of functions that call such.
void spillNegations(ModuleHandle &module, const std::vector<std::string> &barriers);

} // namespace dovetail
