// The handler's members for reductions: how ranges are divided, and memory for partial results.
#pragma once

#include <algorithm>
#include <cstddef>
#include <sycl/detail/host/body.hpp>
#include <sycl/detail/host/command_group.hpp>
#include <sycl/detail/host/reduction_capacity.hpp>
#include <sycl/detail/launch_shape.hpp>
#include <sycl/detail/reduction_launch.hpp>
#include <sycl/handler.hpp>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

DOVETAIL_HOST_BODY std::size_t divide_up(std::size_t count, std::size_t parts) {
  return (count + parts - 1) / parts;
}

// The smallest power of two that covers a size, up to a limit.
DOVETAIL_HOST_BODY std::size_t covering_power(std::size_t size, std::size_t limit) {
  std::size_t power = 1;
  while (power < size && 2 * power <= limit)
    power *= 2;
  return power;
}

} // namespace host
} // namespace detail

// The last dimension is the fastest: work-items of a group are adjacent in it, and the first
// dimension is divided among groups before the others are, so that their blocks are contiguous.
DOVETAIL_HOST_BODY detail::reduction_blocks
handler::divide_range(const detail::launch_shape &size) const {
  using detail::host::divide_up;
  detail::host::reduction_capacity room = group->get_reduction_capacity();
  detail::reduction_blocks result = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  for (int i = size.dimensions - 1; i >= 0; --i) {
    result.local[i] = detail::host::covering_power(size.global[i], room.local);
    room.local /= result.local[i];
  }
  for (int i = 0; i < size.dimensions; ++i) {
    const std::size_t steps = divide_up(size.global[i], result.local[i]);
    const std::size_t parts = std::max<std::size_t>(1, std::min(steps, room.groups));
    result.block[i] = std::max<std::size_t>(1, divide_up(steps, parts)) * result.local[i];
    result.groups[i] = std::max<std::size_t>(1, divide_up(size.global[i], result.block[i]));
    room.groups = std::max<std::size_t>(1, room.groups / result.groups[i]);
  }
  return result;
}

DOVETAIL_HOST_BODY void *handler::take_scratch(std::size_t size) {
  return group->take_scratch(size);
}

} // namespace _V1
} // namespace sycl
