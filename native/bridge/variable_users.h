// Which functions refer to which global variables.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// For each of the named variables the functions that refer to it: in their code, or through
/// constants, aliases and the initial values of other variables. In the order of the module.
std::map<std::string, std::vector<std::string>>
variableUsers(ModuleHandle &Handle, const std::vector<std::string> &Names);

} // namespace dovetail
