// The optional number types that the code of each function uses.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// Returns the types by function: "half", "double", and "atomic i64" for a 64-bit atomic operation,
/// as an instruction or as a call of a SPIR-V built-in.
std::map<std::string, std::vector<std::string>> listScalarTypes(ModuleHandle &Handle);

} // namespace dovetail
