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
std::map<std::string, std::string> functionAttributes(ModuleHandle &module, const std::string &key);
std::map<std::string, std::string> globalVariableAttributes(ModuleHandle &module,
                                                            const std::string &key);
std::map<ParameterKey, std::string> parameterAttributes(ModuleHandle &module,
                                                        const std::string &key);

/// The keys of all string attributes of functions, parameters and global variables, each once, in
/// order; without those that are not UTF-8.
std::set<std::string> stringAttributeKeys(ModuleHandle &module);

/// Each of these makes all changes or, if one is wrong, none.
void setFunctionAttributes(ModuleHandle &module, const FunctionAttributeChanges &changes);
/// The same for who is inside LLVM already.
void changeFunctionAttributes(llvm::Module &ir, const FunctionAttributeChanges &changes);
void setGlobalVariableAttributes(ModuleHandle &module,
                                 const std::map<std::string, AttributeChanges> &changes);
void setParameterAttributes(ModuleHandle &module,
                            const std::map<ParameterKey, AttributeChanges> &changes);

/// Says of what these functions take by pointer that it is bytes, where nothing else is said of it.
void setByteReferences(ModuleHandle &module, const std::vector<std::string> &functions);

} // namespace dovetail
