// The functions that refer to global variables.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// Returns, for each named variable, the functions that refer to it, in module order: in their
/// code, or through constants, aliases and initial values of other variables.
std::map<std::string, std::vector<std::string>>
variableUsers(ModuleHandle &Handle, const std::vector<std::string> &Names);

} // namespace dovetail
