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
std::string linkageName(llvm::GlobalValue::LinkageTypes Linkage);
std::string callingConventionName(llvm::CallingConv::ID Convention);
llvm::CallingConv::ID parseCallingConvention(const std::string &Name);

/// Each of these changes everything in the map or, if one entry is wrong, nothing.
void setLinkage(ModuleHandle &Handle, const std::map<std::string, std::string> &Linkages);
/// Direct calls of the functions follow, since a call under another convention is undefined.
void setCallingConvention(ModuleHandle &Handle,
                          const std::map<std::string, std::string> &Conventions);
/// Old names to new names; two symbols may exchange theirs.
void renameSymbols(ModuleHandle &Handle, const std::map<std::string, std::string> &Names);

/// Has the memory of definitions start with zeros.
void makeZero(ModuleHandle &Handle, const std::vector<std::string> &Names);

/// Has LLVM keep global variables and leave them alone, whoever uses them.
void keepVariables(ModuleHandle &Handle, const std::vector<std::string> &Names);

/// Gives definitions of functions a body that does nothing and returns zero, and takes away what is
/// said of the one they had: metadata, and attributes of what it returns.
void makeEmpty(ModuleHandle &Handle, const std::vector<std::string> &Names);

} // namespace dovetail
