// Calls of functions for operations that devices lack.
#pragma once

#include <map>
#include <string>

namespace dovetail {

class ModuleHandle;

/// Replaces divisions and remainders of scalars by calls. `Functions` has a function `T f(T, T)`
/// for each operation and type in LLVM's syntax, such as `frem float`; it is declared if necessary.
void callForOperations(ModuleHandle &Handle, const std::map<std::string, std::string> &Functions);

} // namespace dovetail
