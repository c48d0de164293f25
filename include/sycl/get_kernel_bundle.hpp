// get_kernel_bundle, has_kernel_bundle, is_compatible: the kernels that devices can run, consistent
// with launches.
#pragma once

#include <sycl/bundle_state.hpp>
#include <sycl/context.hpp>
#include <sycl/device.hpp>
#include <sycl/device_image.hpp>
#include <sycl/kernel_bundle.hpp>
#include <sycl/kernel_id.hpp>
#include <type_traits>
#include <vector>

namespace sycl {
inline namespace _V1 {

namespace detail {

// The kernels that one of the devices can run; nothing is built.
shared_bundle find_bundle(bundle_state state, const context &where,
                          const std::vector<device> &devices);
// The given kernels; one of the devices must be able to run each.
shared_bundle find_bundle(bundle_state state, const context &where,
                          const std::vector<device> &devices, const std::vector<kernel_id> &wanted);
// The bundle in the given state; code is built for an executable one.
shared_bundle finished(bundle_state state, shared_bundle bundle);

bool has_bundle(bundle_state state, const context &where, const std::vector<device> &devices);
bool has_bundle(bundle_state state, const context &where, const std::vector<device> &devices,
                const std::vector<kernel_id> &wanted);

template <typename DataT, bundle_state State>
using if_image_selector =
    std::enable_if_t<std::is_invocable_r_v<bool, DataT &, const device_image<State> &>, int>;

} // namespace detail

bool is_compatible(const std::vector<kernel_id> &kernels, const device &where);

template <typename KernelName> bool is_compatible(const device &where) {
  return is_compatible({get_kernel_id<KernelName>()}, where);
}

template <bundle_state State>
bool has_kernel_bundle(const context &where, const std::vector<device> &devices) {
  return detail::has_bundle(State, where, devices);
}
template <bundle_state State>
bool has_kernel_bundle(const context &where, const std::vector<device> &devices,
                       const std::vector<kernel_id> &wanted) {
  return detail::has_bundle(State, where, devices, wanted);
}
template <bundle_state State> bool has_kernel_bundle(const context &where) {
  return detail::has_bundle(State, where, where.get_devices());
}
template <bundle_state State>
bool has_kernel_bundle(const context &where, const std::vector<kernel_id> &wanted) {
  return detail::has_bundle(State, where, where.get_devices(), wanted);
}
template <typename KernelName, bundle_state State> bool has_kernel_bundle(const context &where) {
  return detail::has_bundle(State, where, where.get_devices(), {get_kernel_id<KernelName>()});
}
template <typename KernelName, bundle_state State>
bool has_kernel_bundle(const context &where, const std::vector<device> &devices) {
  return detail::has_bundle(State, where, devices, {get_kernel_id<KernelName>()});
}

template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &where, const std::vector<device> &devices) {
  return detail::kernel_bundle_access::make<State>(
      detail::finished(State, detail::find_bundle(State, where, devices)));
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &where, const std::vector<device> &devices,
                                       const std::vector<kernel_id> &wanted) {
  return detail::kernel_bundle_access::make<State>(
      detail::finished(State, detail::find_bundle(State, where, devices, wanted)));
}
// The images for which the selector is true.
template <bundle_state State, typename Selector, detail::if_image_selector<Selector, State> = 0>
kernel_bundle<State> get_kernel_bundle(const context &where, const std::vector<device> &devices,
                                       Selector selector) {
  auto all = detail::kernel_bundle_access::make<State>(detail::find_bundle(State, where, devices));
  std::vector<kernel_id> wanted;
  auto image = all.begin();
  for (const kernel_id &id : all.get_kernel_ids())
    if (selector(*image++))
      wanted.push_back(id);
  return get_kernel_bundle<State>(where, devices, wanted);
}
template <bundle_state State> kernel_bundle<State> get_kernel_bundle(const context &where) {
  return get_kernel_bundle<State>(where, where.get_devices());
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &where, const std::vector<kernel_id> &wanted) {
  return get_kernel_bundle<State>(where, where.get_devices(), wanted);
}
template <bundle_state State, typename Selector, detail::if_image_selector<Selector, State> = 0>
kernel_bundle<State> get_kernel_bundle(const context &where, Selector selector) {
  return get_kernel_bundle<State>(where, where.get_devices(), selector);
}
template <typename KernelName, bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &where) {
  return get_kernel_bundle<State>(where, where.get_devices(), {get_kernel_id<KernelName>()});
}
template <typename KernelName, bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &where, const std::vector<device> &devices) {
  return get_kernel_bundle<State>(where, devices, {get_kernel_id<KernelName>()});
}

} // namespace _V1
} // namespace sycl
