// Which optional number types the code of each function touches.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// For each defined function that has any: "half", "double", and "atomic i64" for an atomic
/// operation on 64 bits, as an instruction or as a call of one of SPIR-V's built-ins.
std::map<std::string, std::vector<std::string>> listScalarTypes(ModuleHandle &Handle);

} // namespace dovetail
