// Initial values of global variables.
#pragma once

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace llvm {
class GlobalVariable;
} // namespace llvm

namespace dovetail {

class ModuleHandle;

/// Returns the bytes of a variable's initial value, or nothing if all of them are zero. Undefined
/// parts are zero. A value that contains an address is an error, because addresses are not known
/// yet.
std::string initialBytes(ModuleHandle &Handle, const std::string &Name);

/// Returns the bytes of a variable in a module, even if all of them are zero.
llvm::Expected<std::string> initialBytesOf(const llvm::GlobalVariable &Variable);

/// Converts variables to byte arrays of the same size and value. If one contains an address, none
/// is converted.
void makeBytes(ModuleHandle &Handle, const std::vector<std::string> &Names);

} // namespace dovetail
