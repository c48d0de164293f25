// Entry points of plain functions that are kernels, where only clang can make them.
#pragma once

#include <string>

namespace clang {
class FunctionDecl;
class Sema;
} // namespace clang

namespace dovetail {

/// Adds a kernel entry point named `symbol` that calls `kernel` with its own parameters, and has
/// code generated for it. To be called at the end of the translation unit.
///
/// Where a device's functions take classes in registers, member by member, and its kernels as they
/// lie in memory, nobody behind clang can tell which pieces belong together.
void addEntryPoint(clang::FunctionDecl &kernel, const std::string &symbol, clang::Sema &sema);

} // namespace dovetail
