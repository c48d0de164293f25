// access::fence_space: the memory that a barrier orders.
#pragma once

namespace sycl {
inline namespace _V1 {
namespace access {

enum class fence_space { local_space = 0, global_space = 1, global_and_local = 2 };

} // namespace access
} // namespace _V1
} // namespace sycl
