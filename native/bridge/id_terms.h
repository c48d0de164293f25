// Sums in which a work-item ID occurs more than once.
#pragma once

#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// Collects the terms of sums with a work-item ID, so that it occurs only once in each sum: `~id -
/// id` becomes `id * -2 + -1`. IDs are the results of the functions `Queries`; each function and
/// constant argument gives a different ID.
void collectIdTerms(ModuleHandle &Handle, const std::vector<std::string> &Queries);

} // namespace dovetail
