// annotated_ptr under the name of the first design.
#pragma once

#include <sycl/ext/oneapi/experimental/annotated_ptr/annotated_ptr.hpp>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi {

using experimental::annotated_ptr;

} // namespace ext::oneapi
} // namespace _V1
} // namespace sycl
