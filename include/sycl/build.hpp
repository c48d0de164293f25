// compile, link, build and join: functions on kernel bundles. Drivers build code only when a bundle
// becomes executable.
#pragma once

#include <sycl/bundle_state.hpp>
#include <sycl/device.hpp>
#include <sycl/kernel_bundle.hpp>
#include <sycl/property_list.hpp>
#include <vector>

namespace sycl {
inline namespace _V1 {

kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input> &bundle,
                                            const std::vector<device> &devices,
                                            const property_list &properties = {});
kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input> &bundle,
                                            const property_list &properties = {});

kernel_bundle<bundle_state::executable>
link(const std::vector<kernel_bundle<bundle_state::object>> &bundles,
     const std::vector<device> &devices, const property_list &properties = {});
// For the devices that all of the bundles have.
kernel_bundle<bundle_state::executable>
link(const std::vector<kernel_bundle<bundle_state::object>> &bundles,
     const property_list &properties = {});
kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object> &bundle,
                                             const std::vector<device> &devices,
                                             const property_list &properties = {});
kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object> &bundle,
                                             const property_list &properties = {});

kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input> &bundle,
                                              const std::vector<device> &devices,
                                              const property_list &properties = {});
kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input> &bundle,
                                              const property_list &properties = {});

namespace detail {
shared_bundle join_bundles(const std::vector<shared_bundle> &bundles);
}

// The kernels of all bundles, which must have the same context and devices.
template <bundle_state State>
kernel_bundle<State> join(const std::vector<kernel_bundle<State>> &bundles) {
  using access = detail::kernel_bundle_access;
  return access::make<State>(detail::join_bundles(access::states(bundles)));
}

} // namespace _V1
} // namespace sycl
