// The direct calls of a function: what they pass, and replacing them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// A constant integer, the name of a function, or nothing that is known here.
using KnownArgument = std::variant<std::monostate, int64_t, std::string>;
/// The caller's name and what it passes.
using CallRecord = std::pair<std::string, std::vector<KnownArgument>>;

/// Callers in the order of the module, each one's calls in the order of its code.
std::vector<CallRecord> callsTo(ModuleHandle &Handle, const std::string &Callee);

/// Puts the address of a fresh, uninitialised, internal byte array in place of each call
/// `callee(size, alignment)`, and removes the declaration of `callee`. The names of the arrays.
std::vector<std::string> replaceCallsWithGlobals(ModuleHandle &Handle, const std::string &Callee,
                                                 unsigned AddressSpace);

/// Lets the caller return, a zero if it returns anything, behind each call of a function that was
/// said never to return.
void returnBehindCalls(ModuleHandle &Handle, const std::string &Callee);

} // namespace dovetail
