// What kernels may not be, though it is C++.
#pragma once

namespace clang {
class DiagnosticsEngine;
class FunctionDecl;
} // namespace clang

namespace dovetail {

/// Reports, as errors at their place in the source, what a kernel cannot return or take.
///
/// References are wrong in every kernel, and in the objects passed to it: what they refer to does
/// not exist on the device. The rest holds for plain functions alone, since an entry point's
/// parameters are for the header that wrote it to choose.
void checkKernel(const clang::FunctionDecl &kernel, clang::DiagnosticsEngine &diagnostics);

} // namespace dovetail
