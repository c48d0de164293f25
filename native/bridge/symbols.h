// Properties of symbols: names, linkage, calling conventions.
#pragma once

#include "llvm/IR/CallingConv.h"
#include "llvm/IR/GlobalValue.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// These use the keywords of textual IR. A calling convention that is not in our table is its
/// number.
std::string linkageName(llvm::GlobalValue::LinkageTypes Linkage);
std::string callingConventionName(llvm::CallingConv::ID Convention);
llvm::Expected<llvm::CallingConv::ID> parseCallingConvention(const std::string &Name);

/// Each of these makes all changes or, if one is invalid, none.
void setLinkage(ModuleHandle &Handle, const std::map<std::string, std::string> &Linkages);
/// Also changes direct calls of the functions, because a mismatch is undefined behavior.
void setCallingConvention(ModuleHandle &Handle,
                          const std::map<std::string, std::string> &Conventions);
/// Maps old names to new names. Two symbols may exchange theirs.
void renameSymbols(ModuleHandle &Handle, const std::map<std::string, std::string> &Names);

/// Sets the initial values of defined global variables to zero.
void makeZero(ModuleHandle &Handle, const std::vector<std::string> &Names);

/// Prevents LLVM from removing or changing global variables.
void keepVariables(ModuleHandle &Handle, const std::vector<std::string> &Names);

/// Replaces the bodies of functions by one that does nothing and returns zero, and removes metadata
/// and return attributes, which described the old body.
void makeEmpty(ModuleHandle &Handle, const std::vector<std::string> &Names);

} // namespace dovetail
