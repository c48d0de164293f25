// info::context: the queries of a context.
#pragma once

#include <cstdint>

#include <sycl/memory_order.hpp>
#include <sycl/memory_scope.hpp>
#include <vector>

namespace sycl {
inline namespace _V1 {

class device;
class platform;

namespace info {
namespace context {

struct devices {
  using return_type = std::vector<sycl::device>;
};
struct platform {
  using return_type = sycl::platform;
};
// The number of objects that share it.
struct reference_count {
  using return_type = std::uint32_t;
};
// What all of its devices are capable of.
struct atomic_memory_order_capabilities {
  using return_type = std::vector<memory_order>;
};
struct atomic_memory_scope_capabilities {
  using return_type = std::vector<memory_scope>;
};
struct atomic_fence_order_capabilities {
  using return_type = std::vector<memory_order>;
};
struct atomic_fence_scope_capabilities {
  using return_type = std::vector<memory_scope>;
};

} // namespace context
} // namespace info
} // namespace _V1
} // namespace sycl
