// Hides from drivers that conditions in loops do not change.
#pragma once

#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// Makes conditions depend on an iteration of the loop in which they are used, so that drivers do
/// not duplicate the loop for both values of a condition. Affects conditions that are the same in
/// all iterations and may differ between work-items, in loops with other branches. Functions whose
/// name contains one of the strings `UniformQueries` return the same value to all work-items of a
/// work-group. The conditions are combined with the two highest bits of `Query(0)`, which are
/// never set.
void hideLoopConditions(ModuleHandle &Handle, const std::vector<std::string> &UniformQueries,
                        const std::string &Query);

} // namespace dovetail
