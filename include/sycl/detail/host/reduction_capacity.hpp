// reduction_capacity: how many work-groups a device should get for a reduction, and of which size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <sycl/detail/host/body.hpp>
#include <sycl/device.hpp>
#include <sycl/info/device.hpp>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

struct reduction_capacity {
  std::size_t groups;
  std::size_t local;
};

// On a processor, a group is one vector of work-items, so that it reads its block once and in
// order. Twice the size takes 1.5 times as long. Many groups for each core balance their load.
DOVETAIL_HOST_BODY reduction_capacity capacity_for_reductions(const device &runs_on) {
  const std::size_t units = runs_on.get_info<info::device::max_compute_units>();
  if (runs_on.is_cpu())
    return {units * 64, 16};
  const std::size_t most = runs_on.get_info<info::device::max_work_group_size>();
  return {units * 8, std::min<std::size_t>(most, 256)};
}

} // namespace host
} // namespace detail
} // namespace _V1
} // namespace sycl
