// Functions with other parameters than they were written with, and copies of functions.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace dovetail {

class ModuleHandle;

void cloneFunction(ModuleHandle &module, const std::string &name, const std::string &newName);

/// Defines `name`, a void function that calls `callee` with its own parameters. Those listed by
/// index have the given type and are converted; the others are the callee's, attributes included.
void wrapFunction(ModuleHandle &module, const std::string &callee, const std::string &name,
                  const std::string &callingConvention,
                  const std::map<unsigned, std::string> &parameterTypes);

/// Type and name of a parameter.
using NewParameter = std::pair<std::string, std::string>;

/// Appends parameters to a function that nothing calls; everything else about it stays.
void addParameters(ModuleHandle &module, const std::string &name,
                   const std::vector<NewParameter> &parameters);

} // namespace dovetail
