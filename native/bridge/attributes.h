// Attributes of functions, parameters and global variables, read and written in bulk.
//
// A key is that of a string attribute ("sycl-unique-id") or the name of one of LLVM's attributes
// without a value ("alwaysinline", "readonly"), whose value reads and is written as "".
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class Module;
}

namespace dovetail {

class ModuleHandle;

/// Key to value; nullopt removes the attribute.
using AttributeChanges = std::map<std::string, std::optional<std::string>>;
/// By the functions' names.
using FunctionAttributeChanges = std::map<std::string, AttributeChanges>;
/// A function's name and a position.
using ParameterKey = std::pair<std::string, unsigned>;

/// Who has the attribute, and its value.
std::map<std::string, std::string> functionAttributes(ModuleHandle &Handle, const std::string &Key);
std::map<std::string, std::string> globalVariableAttributes(ModuleHandle &Handle,
                                                            const std::string &Key);
std::map<ParameterKey, std::string> parameterAttributes(ModuleHandle &Handle,
                                                        const std::string &Key);

/// The keys of all string attributes of functions, parameters and global variables, each once, in
/// order; without those that are not UTF-8.
std::set<std::string> stringAttributeKeys(ModuleHandle &Handle);

/// Each of these makes all changes or, if one is wrong, none.
void setFunctionAttributes(ModuleHandle &Handle, const FunctionAttributeChanges &Changes);
/// The same for who is inside LLVM already.
void changeFunctionAttributes(llvm::Module &M, const FunctionAttributeChanges &Changes);
void setGlobalVariableAttributes(ModuleHandle &Handle,
                                 const std::map<std::string, AttributeChanges> &Changes);
void setParameterAttributes(ModuleHandle &Handle,
                            const std::map<ParameterKey, AttributeChanges> &Changes);

/// Says of what these functions take by pointer that it is bytes, where nothing else is said of it.
void setByteReferences(ModuleHandle &Handle, const std::vector<std::string> &Functions);

} // namespace dovetail
