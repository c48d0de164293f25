// usm::alloc: whose memory an allocation is in.
#pragma once

namespace sycl {
inline namespace _V1 {
namespace usm {

// The numbers are those of the runtime's table.
enum class alloc { host = 0, device = 1, shared = 2, unknown = 3 };

} // namespace usm
} // namespace _V1
} // namespace sycl
