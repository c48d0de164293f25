// The classes whose members the code of each function reads or writes.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// For each defined function that has any, the classes by the names that `!tbaa` has for them:
/// `_ZTS` and the mangled type. That outlives optimisation, which forgets the types of addresses.
/// What a kernel reads of a parameter that it gets by value is not listed: no such object is in
/// memory that others see.
std::map<std::string, std::vector<std::string>> listAccessedClasses(ModuleHandle &module);

} // namespace dovetail
