// Calls that read a constant variable whose value the toolchain or a driver decides later.
#pragma once

#include <map>
#include <string>

namespace dovetail {

class ModuleHandle;

/// The names of what replaces calls.
struct ConstantReadNames {
  /// The function whose calls are replaced: its arguments are a destination and a variable.
  std::string Reader;
  /// The beginning of names of functions that return scalars.
  std::string Prefix;
  /// The attribute that describes such a function.
  std::string Attribute;
  /// Other names for variables.
  std::map<std::string, std::string> Variables;
};

/// Replaces each call by stores of all scalars in the variable, which are results of functions.
///
/// A function is only declared. Its name is the prefix, the variable's name, a dot, and the
/// scalar's offset in bytes. Its attribute has, separated by blanks, the offset, the size of the
/// variable, LLVM's type and the initial value's bytes in hexadecimal. Scalars are integers of 8,
/// 16, 32 and 64 bits and floating-point numbers of 16, 32 and 64 bits; others are split into
/// bytes.
void splitConstantReads(ModuleHandle &Handle, const ConstantReadNames &Names);

} // namespace dovetail
