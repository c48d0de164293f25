// The properties of symbols: names, linkage, calling conventions.
#pragma once

#include "llvm/IR/CallingConv.h"
#include "llvm/IR/GlobalValue.h"

#include <map>
#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// Words of textual IR; a calling convention without a word of its own in our table is its number.
std::string linkageName(llvm::GlobalValue::LinkageTypes linkage);
std::string callingConventionName(llvm::CallingConv::ID convention);
llvm::CallingConv::ID parseCallingConvention(const std::string &name);

/// Each of these changes everything in the map or, if one entry is wrong, nothing.
void setLinkage(ModuleHandle &module, const std::map<std::string, std::string> &linkages);
/// Direct calls of the functions follow, since a call under another convention is undefined.
void setCallingConvention(ModuleHandle &module,
                          const std::map<std::string, std::string> &conventions);
/// Old names to new names; two symbols may exchange theirs.
void renameSymbols(ModuleHandle &module, const std::map<std::string, std::string> &names);

/// Has the memory of definitions start with zeros.
void makeZero(ModuleHandle &module, const std::vector<std::string> &names);

/// Has LLVM keep global variables and leave them alone, whoever uses them.
void keepVariables(ModuleHandle &module, const std::vector<std::string> &names);

/// Gives definitions of functions a body that does nothing and returns zero, and takes away what is
/// said of the one they had: metadata, and attributes of what it returns.
void makeEmpty(ModuleHandle &module, const std::vector<std::string> &names);

} // namespace dovetail
