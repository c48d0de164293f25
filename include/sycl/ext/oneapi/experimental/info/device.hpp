// info::device::architecture: the query for a device's architecture.
#pragma once

#include <sycl/ext/oneapi/experimental/architecture.hpp>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental::info::device {

struct architecture {
  using return_type = experimental::architecture;
};

} // namespace ext::oneapi::experimental::info::device
} // namespace _V1
} // namespace sycl
