// info::platform: the queries of a platform.
#pragma once

#include <string>
#include <sycl/detail/deprecated.hpp>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace info {
namespace platform {

struct name {
  using return_type = std::string;
};
struct vendor {
  using return_type = std::string;
};
struct version {
  using return_type = std::string;
};
struct DOVETAIL_DEPRECATED("not in SYCL 2020") profile {
  using return_type = std::string;
};
struct DOVETAIL_DEPRECATED("use info::device::aspects") extensions {
  using return_type = std::vector<std::string>;
};

} // namespace platform
} // namespace info
} // namespace _V1
} // namespace sycl
