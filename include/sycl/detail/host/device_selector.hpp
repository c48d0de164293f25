// The scores of the standard's selectors.
#pragma once

#include <sycl/detail/host/body.hpp>
#include <sycl/device.hpp>
#include <sycl/device_selector.hpp>
#include <utility>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {

// Prefers the runtime's default device, which is its first one.
DOVETAIL_HOST_BODY int default_selector::operator()(const device &d) const {
  return device_access::index(d) == 0 ? 1 : 0;
}

DOVETAIL_HOST_BODY int cpu_selector::operator()(const device &d) const {
  return d.is_cpu() ? 1 : -1;
}
DOVETAIL_HOST_BODY int gpu_selector::operator()(const device &d) const {
  return d.is_gpu() ? 1 : -1;
}
DOVETAIL_HOST_BODY int accelerator_selector::operator()(const device &d) const {
  return d.is_accelerator() ? 1 : -1;
}

DOVETAIL_HOST_BODY aspect_selector::aspect_selector(std::vector<aspect> required,
                                                    std::vector<aspect> denied)
    : required(std::move(required)), denied(std::move(denied)) {}

DOVETAIL_HOST_BODY int aspect_selector::operator()(const device &d) const {
  for (aspect feature : required)
    if (!d.has(feature))
      return -1;
  for (aspect feature : denied)
    if (d.has(feature))
      return -1;
  return default_selector()(d);
}

} // namespace detail
} // namespace _V1
} // namespace sycl
