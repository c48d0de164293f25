// Functions with other parameters than they were written with, and copies of functions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class Function;
class FunctionType;
} // namespace llvm

namespace dovetail {

class ModuleHandle;

/// Creates an empty function of another type that takes the name and place of `old` and is like it
/// in everything else.
llvm::Function &declareSuccessor(llvm::Function &old, llvm::FunctionType *type);

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

/// Stores parameters of a function into others as the first thing that the function does, or right
/// after it has copied an object that it must not write to. If `array` names one, the parameters
/// are offsets into it, and what is stored are addresses. They are converted to `type`, if given.
/// In place of an object that is passed as the one pointer that it is made of the value is used.
void storeParameters(ModuleHandle &module, const std::string &name,
                     const std::vector<ParameterStore> &stores, const std::string &array,
                     const std::string &type);

/// Declares an array of bytes, unless it is there, whose size is known only as a program runs.
void declareArray(ModuleHandle &module, const std::string &name, unsigned addressSpace,
                  uint64_t alignment);

} // namespace dovetail
