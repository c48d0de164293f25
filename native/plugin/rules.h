// What kernels may not be, though it is C++.
#pragma once

namespace clang {
class FunctionDecl;
class Sema;
} // namespace clang

namespace dovetail {

/// Reports, as errors at their place in the source, what a kernel cannot return or take.
///
/// References are wrong in every kernel, and in the objects passed to it: what they refer to does
/// not exist on the device. So are parts of these objects that cannot go there as bytes. The rest
/// holds for plain functions alone, since an entry point's
/// parameters are for the header that wrote it to choose.
void checkKernel(const clang::FunctionDecl &kernel, clang::Sema &sema);

} // namespace dovetail
