// info::context: the queries of a context.
#pragma once

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

} // namespace context
} // namespace info
} // namespace _V1
} // namespace sycl
