// Gets and sets attributes of functions, parameters and global variables in bulk.
//
// A key is the key of a string attribute ("sycl-unique-id") or the name of an enum attribute
// ("alwaysinline", "readonly"), whose value is always "".
#pragma once

#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace dovetail {

class ModuleHandle;

/// Keys and values; nullopt removes the attribute.
using AttributeChanges = std::map<std::string, std::optional<std::string>>;
/// Changes by function name.
using FunctionAttributeChanges = std::map<std::string, AttributeChanges>;
/// A function's name and the index of a parameter.
using ParameterKey = std::pair<std::string, unsigned>;

/// These return the values of an attribute, by what has the attribute.
std::map<std::string, std::string> functionAttributes(ModuleHandle &Handle, const std::string &Key);
std::map<std::string, std::string> globalVariableAttributes(ModuleHandle &Handle,
                                                            const std::string &Key);
std::map<ParameterKey, std::string> parameterAttributes(ModuleHandle &Handle,
                                                        const std::string &Key);

/// Returns the keys of all string attributes of functions, parameters and global variables, without
/// keys that are not UTF-8.
std::set<std::string> stringAttributeKeys(ModuleHandle &Handle);

/// Each of these makes all changes or, if one is invalid, none.
void setFunctionAttributes(ModuleHandle &Handle, const FunctionAttributeChanges &Changes);
/// setFunctionAttributes() for guarded code.
llvm::Error changeFunctionAttributes(llvm::Module &M, const FunctionAttributeChanges &Changes);
void setGlobalVariableAttributes(ModuleHandle &Handle,
                                 const std::map<std::string, AttributeChanges> &Changes);
void setParameterAttributes(ModuleHandle &Handle,
                            const std::map<ParameterKey, AttributeChanges> &Changes);

/// Adds byref(i8) to the pointer parameters of functions, except where another attribute defines
/// how the pointee is passed.
void setByteReferences(ModuleHandle &Handle, const std::vector<std::string> &Functions);

} // namespace dovetail
