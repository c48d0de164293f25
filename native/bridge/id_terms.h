// Sums in which the id of a work-item occurs more than once.
#pragma once

#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// Collects the terms of sums with the id of a work-item, so that it occurs once in each of them:
/// `~id - id` becomes `id * -2 + -1`. Ids are what the named functions return, each for itself and
/// for each constant argument.
void collectIdTerms(ModuleHandle &Handle, const std::vector<std::string> &Queries);

} // namespace dovetail
