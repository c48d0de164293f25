// Entry points of plain functions that are kernels, for targets where clang has to generate them.
#pragma once

#include <string>

namespace clang {
class FunctionDecl;
class Sema;
} // namespace clang

namespace dovetail {

/// Adds a kernel entry point named `Symbol` that calls `Kernel` with its own parameters, and makes
/// clang generate code for it. Must be called at the end of the translation unit.
///
/// On some targets, functions receive classes member by member in registers, and kernels receive
/// them as in memory. Passes cannot tell which parameters of a function form a class.
void addEntryPoint(clang::FunctionDecl &Kernel, const std::string &Symbol, clang::Sema &S);

} // namespace dovetail
