// ext::oneapi::experimental::info::device: queries of experimental extensions.
#pragma once

#include <cstddef>
#include <sycl/ext/oneapi/experimental/architecture.hpp>
#include <sycl/id.hpp>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental::info::device {

struct architecture {
  using return_type = experimental::architecture;
};

// The most work-groups of a kernel, in each dimension and in all.
template <int Dimensions = 3> struct max_work_groups {
  using return_type = id<Dimensions>;
};
struct max_global_work_groups {
  using return_type = std::size_t;
};

} // namespace ext::oneapi::experimental::info::device
} // namespace _V1
} // namespace sycl
