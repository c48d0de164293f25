// Functions with other parameters than they were written with, and copies of functions.
#pragma once

#include <cstdint>
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

/// What to store, by the indices of two parameters of a function and an offset in bytes: the first
/// parameter goes into the memory that the second points to.
struct ParameterStore {
  unsigned value;
  unsigned object;
  uint64_t offset;
};

/// Stores parameters of a function into others as the first thing that the function does.
void storeParameters(ModuleHandle &module, const std::string &name,
                     const std::vector<ParameterStore> &stores);

} // namespace dovetail
