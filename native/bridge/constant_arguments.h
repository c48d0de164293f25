// Arguments that have to be in constant memory.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// Replaces calls of functions by calls of the functions with the names that `Names` maps theirs
/// to, which take the first argument in another address space: a copy of the constant variable that
/// it points to. Calls with other arguments stay; returns the names of the functions that contain
/// them.
std::vector<std::string> moveFirstArguments(ModuleHandle &Handle,
                                            const std::map<std::string, std::string> &Names,
                                            unsigned AddressSpace);

} // namespace dovetail
