// The members of class platform.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <sycl/backend.hpp>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/body.hpp>
#include <sycl/detail/host/device_info.hpp>
#include <sycl/device.hpp>
#include <sycl/info/device.hpp>
#include <sycl/info/platform.hpp>
#include <sycl/platform.hpp>
#include <type_traits>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

// The runtime has no platforms: devices with equal platform information are one platform.
DOVETAIL_HOST_BODY bool same_platform(std::uint32_t left, std::uint32_t right) {
  for (device_query query :
       {device_query::platform_name, device_query::platform_vendor, device_query::platform_version})
    if (ask_text(left, query) != ask_text(right, query))
      return false;
  return true;
}

DOVETAIL_HOST_BODY std::uint32_t first_of_platform(std::uint32_t device) {
  std::uint32_t first = 0;
  while (first < device && !same_platform(first, device))
    ++first;
  return first;
}

} // namespace host
} // namespace detail

DOVETAIL_HOST_BODY platform::platform() : platform(device()) {}

DOVETAIL_HOST_BODY platform::platform(const device &member)
    : first(detail::host::first_of_platform(detail::device_access::index(member))) {}

DOVETAIL_HOST_BODY backend platform::get_backend() const noexcept {
  return detail::device_access::make(first).get_backend();
}

DOVETAIL_HOST_BODY std::vector<device> platform::get_devices(info::device_type type) const {
  std::vector<device> devices;
  for (const device &d : device::get_devices(type))
    if (d.get_platform() == *this)
      devices.push_back(d);
  return devices;
}

// Also answers deprecated queries.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
template <typename Query> typename Query::return_type platform::get_info() const {
  using detail::host::device_query;
  if constexpr (std::is_same_v<Query, info::platform::name>)
    return detail::host::ask_text(first, device_query::platform_name);
  else if constexpr (std::is_same_v<Query, info::platform::vendor>)
    return detail::host::ask_text(first, device_query::platform_vendor);
  else if constexpr (std::is_same_v<Query, info::platform::version>)
    return detail::host::ask_text(first, device_query::platform_version);
  else if constexpr (std::is_same_v<Query, info::platform::profile>)
    return detail::host::ask_text(first, device_query::profile);
  else {
    static_assert(std::is_same_v<Query, info::platform::extensions>,
                  "not a query that a platform answers");
    return detail::device_access::make(first).get_info<info::device::extensions>();
  }
}

DOVETAIL_HOST_BODY bool platform::has_extension(const std::string &name) const {
  std::vector<std::string> names = get_info<info::platform::extensions>();
  return std::find(names.begin(), names.end(), name) != names.end();
}
#pragma clang diagnostic pop

DOVETAIL_HOST_BODY bool platform::has(aspect feature) const {
  for (const device &d : get_devices())
    if (!d.has(feature))
      return false;
  return true;
}

DOVETAIL_HOST_BODY std::vector<platform> platform::get_platforms() {
  std::vector<platform> platforms;
  for (const device &d : device::get_devices())
    if (platform p(d); p.first == detail::device_access::index(d))
      platforms.push_back(p);
  return platforms;
}

} // namespace _V1
} // namespace sycl
