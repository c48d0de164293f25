// info::queue: the queries of a queue.
#pragma once

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

} // namespace queue
} // namespace info
} // namespace _V1
} // namespace sycl
