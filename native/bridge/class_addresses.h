// Functions that compute addresses of members of classes that contain a double.
#pragma once

#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// Lists the functions that, after inlining, compute such addresses in an object that is not their
/// own local variable or by-value parameter. Accesses to their own objects are visible in the types
/// of other instructions. Must run before optimization, which discards the types of addresses. Does
/// not change the module.
std::vector<std::string> listClassAddresses(ModuleHandle &Handle);

} // namespace dovetail
