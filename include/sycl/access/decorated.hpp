// access::decorated: whether a multi_ptr hands out pointers that carry their address space.
#pragma once

namespace sycl {
inline namespace _V1 {
namespace access {

enum class decorated : int { no = 0, yes = 1, legacy = 2 };

} // namespace access
} // namespace _V1
} // namespace sycl
