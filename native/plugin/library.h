// Functions of the C library in device code.
#pragma once

#include "clang/AST/ASTContext.h"

namespace dovetail {

/// Whether a function is one of the C library and the device library defines it.
bool isInDeviceLibrary(const clang::FunctionDecl &FD);

/// Whether clang knows a function as one of the C library, and may generate calls of it. It
/// replaces calls of some, such as `memcpy`, by instructions.
bool isCalledInLibrary(const clang::FunctionDecl &FD);

/// Whether a function of the C library allocates or frees memory.
bool managesMemory(const clang::FunctionDecl &FD);

} // namespace dovetail
