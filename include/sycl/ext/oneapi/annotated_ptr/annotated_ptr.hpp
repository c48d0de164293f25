// annotated_ptr under its name in the extension's first revision.
#pragma once

#include <sycl/ext/oneapi/experimental/annotated_ptr/annotated_ptr.hpp>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi {

using experimental::annotated_ptr;

} // namespace ext::oneapi
} // namespace _V1
} // namespace sycl
