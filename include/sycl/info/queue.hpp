// info::queue: the queries of a queue.
#pragma once

#include <cstdint>

namespace sycl {
inline namespace _V1 {

class context;
class device;

namespace info {
namespace queue {

struct context {
  using return_type = sycl::context;
};
struct device {
  using return_type = sycl::device;
};
// The number of objects that share it.
struct reference_count {
  using return_type = std::uint32_t;
};

} // namespace queue
} // namespace info
} // namespace _V1
} // namespace sycl
