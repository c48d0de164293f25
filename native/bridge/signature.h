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
llvm::Function &declareSuccessor(llvm::Function &Old, llvm::FunctionType *Ty);

void cloneFunction(ModuleHandle &Handle, const std::string &Name, const std::string &NewName);

/// Defines `name`, a void function that calls `callee` with its own parameters. Those listed by
/// index have the given type and are converted; the others are the callee's, attributes included.
void wrapFunction(ModuleHandle &Handle, const std::string &Callee, const std::string &Name,
                  const std::string &CallingConvention,
                  const std::map<unsigned, std::string> &ParameterTypes);

/// Type and name of a parameter.
using NewParameter = std::pair<std::string, std::string>;

/// Appends parameters to a function that nothing calls; everything else about it stays.
void addParameters(ModuleHandle &Handle, const std::string &Name,
                   const std::vector<NewParameter> &Parameters);

/// What to store, by the indices of two parameters of a function and an offset in bytes: the first
/// parameter goes into the memory that the second points to.
struct ParameterStore {
  unsigned Value;
  unsigned Object;
  uint64_t Offset;
};

/// Stores parameters of a function into others as the first thing that the function does, or right
/// after it has copied an object that it must not write to. If `array` names one, the parameters
/// are offsets into it, and what is stored are addresses. They are converted to `type`, if given.
/// In place of an object that is passed as the one pointer that it is made of the value is used.
void storeParameters(ModuleHandle &Handle, const std::string &Name,
                     const std::vector<ParameterStore> &Stores, const std::string &Array,
                     const std::string &TypeName);

/// Declares an array of bytes, unless it is there, whose size is known only as a program runs.
void declareArray(ModuleHandle &Handle, const std::string &Name, unsigned AddressSpace,
                  uint64_t Alignment);

} // namespace dovetail
