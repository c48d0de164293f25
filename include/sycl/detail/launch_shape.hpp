// launch_shape: an index space of any number of dimensions, as the handler gets it.
#pragma once

#include <cstddef>
#include <sycl/id.hpp>
#include <sycl/nd_range.hpp>
#include <sycl/range.hpp>

namespace sycl {
inline namespace _V1 {
namespace detail {

struct launch_shape {
  int dimensions = 0; // 0 for a single task
  bool has_local = false;
  std::size_t global[3] = {1, 1, 1};
  std::size_t local[3] = {1, 1, 1};
  std::size_t offset[3] = {};

  launch_shape() = default;

  template <int Dimensions>
  explicit launch_shape(const range<Dimensions> &size) : dimensions(Dimensions) {
    for (int i = 0; i < Dimensions; ++i)
      global[i] = size[i];
  }

  template <int Dimensions>
  launch_shape(const range<Dimensions> &size, const id<Dimensions> &start) : launch_shape(size) {
    for (int i = 0; i < Dimensions; ++i)
      offset[i] = start[i];
  }

  template <int Dimensions>
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  explicit launch_shape(const nd_range<Dimensions> &size)
      : launch_shape(size.get_global_range(), size.get_offset()) {
#pragma clang diagnostic pop
    has_local = true;
    for (int i = 0; i < Dimensions; ++i)
      local[i] = size.get_local_range()[i];
  }
};

} // namespace detail
} // namespace _V1
} // namespace sycl
