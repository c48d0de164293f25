// What global variables hold before anything has run.
#pragma once

#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// The bytes of a variable's initial value; none if all of them are zero. Parts that nothing
/// defines are zero; addresses are nobody's to know yet, so a value that holds one is an error.
std::string initialBytes(ModuleHandle &Handle, const std::string &Name);

/// Makes variables arrays of as many bytes, with the same values; all of them or, if one holds an
/// address, none.
void makeBytes(ModuleHandle &Handle, const std::vector<std::string> &Names);

} // namespace dovetail
