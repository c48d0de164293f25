// Which functions compute addresses within objects of classes that hold a double.
#pragma once

#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// The functions that, once calls are inlined, do so with an object that is not a variable or a
/// parameter by value of their own: what is left of those shows in the types of other instructions.
/// To be asked before optimisation, which forgets the types of addresses. The module stays as it
/// is.
std::vector<std::string> listClassAddresses(ModuleHandle &Handle);

} // namespace dovetail
