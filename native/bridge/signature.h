// Functions with changed parameters, and copies of functions.
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

/// Creates an empty function of another type with the name, position and all other properties of
/// `Old`.
llvm::Function &declareSuccessor(llvm::Function &Old, llvm::FunctionType *FTy);

void cloneFunction(ModuleHandle &Handle, const std::string &Name, const std::string &NewName);

/// Defines the void function `Name`, which calls `Callee` with its own parameters. The parameters
/// listed by index have the given types and are converted. The others are like the callee's,
/// including attributes.
void wrapFunction(ModuleHandle &Handle, const std::string &Callee, const std::string &Name,
                  const std::string &CallingConvention,
                  const std::map<unsigned, std::string> &ParameterTypes);

/// The type and name of a parameter.
using NewParameter = std::pair<std::string, std::string>;

/// Appends parameters to a function that nothing calls.
void addParameters(ModuleHandle &Handle, const std::string &Name,
                   const std::vector<NewParameter> &Parameters);

/// A store of a parameter to the memory that another parameter points to. Both are given by index,
/// the offset in bytes.
struct ParameterStore {
  unsigned Value;
  unsigned Object;
  uint64_t Offset;
};

/// Stores parameters of a function to objects, at the beginning of the function or immediately
/// after it has copied an object that it must not modify. If `Array` is given, the parameters are
/// offsets in that array, and their addresses are stored. Stored values are converted to
/// `TypeName`, if given. An object that is passed as its only member, a pointer, is replaced by the
/// value.
void storeParameters(ModuleHandle &Handle, const std::string &Name,
                     const std::vector<ParameterStore> &Stores, const std::string &Array,
                     const std::string &TypeName);

/// Declares an array of bytes whose size is only known at run time, unless it is declared already.
void declareArray(ModuleHandle &Handle, const std::string &Name, unsigned AddressSpace,
                  uint64_t Alignment);

} // namespace dovetail
