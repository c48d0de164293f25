// Whether objects of a type can go to a device as bytes.
#pragma once

#include "clang/AST/Type.h"
#include "clang/Basic/SourceLocation.h"

namespace clang {
class Sema;
}

namespace dovetail {

/// Whether a type is trivially copyable, or sycl::is_device_copyable says that it is as good as
/// that; programs may specialise it for types of theirs. Arguments of kernels, such as accessors,
/// have a way of their own and count.
bool isDeviceCopyable(clang::QualType type, clang::Sema &sema, clang::SourceLocation place);

} // namespace dovetail
