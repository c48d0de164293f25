// Device-copyable types.
#pragma once

#include "clang/AST/Type.h"
#include "clang/Basic/SourceLocation.h"

namespace clang {
class Sema;
} // namespace clang

namespace dovetail {

/// Whether objects of a type can be copied to a device byte by byte: the type is trivially
/// copyable, or sycl::is_device_copyable is true for it, which programs may specialize. Classes
/// that become kernel arguments, such as accessors, also count.
bool isDeviceCopyable(clang::QualType T, clang::Sema &S, clang::SourceLocation Loc);

} // namespace dovetail
