// SYCL's rules for the declarations and parameters of kernels.
#pragma once

namespace clang {
class FunctionDecl;
class Sema;
} // namespace clang

namespace dovetail {

/// Reports errors in a kernel's return type and parameters.
///
/// Parameters of all kernels, and the members of kernel objects, must be device-copyable and not
/// references, whose targets do not exist on the device. The other rules apply to plain functions
/// only, since headers choose the parameters of entry points.
void checkKernel(const clang::FunctionDecl &Kernel, clang::Sema &S);

} // namespace dovetail
