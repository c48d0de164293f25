// The state and the members of class context. The runtime has no contexts: all contexts of a
// program share the memory of a device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <sycl/async_handler.hpp>
#include <sycl/backend.hpp>
#include <sycl/context.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/detail/host/body.hpp>
#include <sycl/device.hpp>
#include <sycl/errc.hpp>
#include <sycl/info/context.hpp>
#include <sycl/info/device.hpp>
#include <sycl/platform.hpp>
#include <sycl/property_list.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {

class context_state {
public:
  const std::vector<device> devices;
  const async_handler handler;
  const property_list properties;
};

struct context_access {
  static const context_state &state(const context &c) { return *c.state; }
};

} // namespace detail

DOVETAIL_HOST_BODY context::context(const std::vector<device> &members, async_handler handler,
                                    const property_list &properties) {
  if (members.empty())
    detail::fail(errc::invalid, "a context needs a device");
  for (const device &d : members)
    if (d.get_platform() != members.front().get_platform())
      detail::fail(errc::invalid, "the devices of a context must be of one platform");
  state.reset(new detail::context_state{members, std::move(handler), properties});
}

DOVETAIL_HOST_BODY context::context(const property_list &properties)
    : context(device(), properties) {}
DOVETAIL_HOST_BODY context::context(async_handler handler, const property_list &properties)
    : context(device(), std::move(handler), properties) {}
DOVETAIL_HOST_BODY context::context(const device &member, const property_list &properties)
    : context(std::vector<device>{member}, async_handler(), properties) {}
DOVETAIL_HOST_BODY context::context(const device &member, async_handler handler,
                                    const property_list &properties)
    : context(std::vector<device>{member}, std::move(handler), properties) {}
DOVETAIL_HOST_BODY context::context(const platform &members, const property_list &properties)
    : context(members.get_devices(), async_handler(), properties) {}
DOVETAIL_HOST_BODY context::context(const platform &members, async_handler handler,
                                    const property_list &properties)
    : context(members.get_devices(), std::move(handler), properties) {}
DOVETAIL_HOST_BODY context::context(const std::vector<device> &members,
                                    const property_list &properties)
    : context(members, async_handler(), properties) {}

DOVETAIL_HOST_BODY backend context::get_backend() const noexcept {
  return state->devices.front().get_backend();
}
DOVETAIL_HOST_BODY platform context::get_platform() const {
  return state->devices.front().get_platform();
}
DOVETAIL_HOST_BODY std::vector<device> context::get_devices() const { return state->devices; }

namespace detail {

// What the list of each device has, in the first one's order.
template <typename Query>
typename Query::return_type common_to(const std::vector<device> &devices) {
  typename Query::return_type common = devices.front().get_info<Query>();
  for (const device &other : devices) {
    typename Query::return_type both;
    for (auto value : other.get_info<Query>())
      if (std::find(common.begin(), common.end(), value) != common.end())
        both.push_back(value);
    common = both;
  }
  return common;
}

} // namespace detail

template <typename Query> typename Query::return_type context::get_info() const {
  namespace ask = info::context;
  if constexpr (std::is_same_v<Query, ask::devices>)
    return get_devices();
  else if constexpr (std::is_same_v<Query, ask::reference_count>)
    return static_cast<std::uint32_t>(state.use_count());
  else if constexpr (std::is_same_v<Query, ask::atomic_memory_order_capabilities>)
    return detail::common_to<info::device::atomic_memory_order_capabilities>(get_devices());
  else if constexpr (std::is_same_v<Query, ask::atomic_fence_order_capabilities>)
    return detail::common_to<info::device::atomic_fence_order_capabilities>(get_devices());
  else if constexpr (std::is_same_v<Query, ask::atomic_memory_scope_capabilities>)
    return detail::common_to<info::device::atomic_memory_scope_capabilities>(get_devices());
  else if constexpr (std::is_same_v<Query, ask::atomic_fence_scope_capabilities>)
    return detail::common_to<info::device::atomic_fence_scope_capabilities>(get_devices());
  else {
    static_assert(std::is_same_v<Query, info::context::platform>,
                  "not a query that a context answers");
    return get_platform();
  }
}

DOVETAIL_HOST_BODY const property_list &context::get_properties() const noexcept {
  return state->properties;
}

} // namespace _V1
} // namespace sycl
