// What global variables hold before anything has run.
#pragma once

#include <string>

namespace dovetail {

class ModuleHandle;

/// The bytes of a variable's initial value; none if all of them are zero. Parts that nothing
/// defines are zero; addresses are nobody's to know yet, so a value that holds one is an error.
std::string initialBytes(ModuleHandle &module, const std::string &name);

} // namespace dovetail
