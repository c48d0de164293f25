// Direct calls of a function: listing and replacing them.
#pragma once

#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace llvm {
class CallBase;
class Function;
class Twine;
} // namespace llvm

namespace dovetail {

class ModuleHandle;

/// A constant integer, the name of a function, or monostate for any other value.
using KnownArgument = std::variant<std::monostate, int64_t, std::string>;
/// The caller's name and the arguments.
using CallRecord = std::pair<std::string, std::vector<KnownArgument>>;

/// Lists callers in module order, and the calls of each caller in the order of its code.
std::vector<CallRecord> callsTo(ModuleHandle &Handle, const std::string &Callee);

/// Replaces each call `Callee(size, alignment)` by the address of a new, uninitialized, internal
/// byte array, and removes the declaration of `Callee`. Returns the names of the arrays.
std::vector<std::string> replaceCallsWithGlobals(ModuleHandle &Handle, const std::string &Callee,
                                                 unsigned AddressSpace);

/// Makes callers of a noreturn function return after the call, with a zero if they return a value.
void returnBehindCalls(ModuleHandle &Handle, const std::string &Callee);

/// Returns the function that a call names, directly or through an alias or cast, or null for an
/// indirect call.
const llvm::Function *namedCallee(const llvm::CallBase &Call);

/// Returns the direct calls of a function in the order of the module's text.
std::vector<llvm::CallBase *> directCalls(llvm::Function &Callee);

/// Creates an error about a call.
llvm::Error createCallError(const llvm::CallBase &Call, const llvm::Twine &Reason);

} // namespace dovetail
