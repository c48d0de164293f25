// The functions that make kernel bundles of kernel bundles.
#pragma once

#include <algorithm>
#include <sycl/build.hpp>
#include <sycl/bundle_state.hpp>
#include <sycl/context.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/detail/host/body.hpp>
#include <sycl/detail/host/constant_values.hpp>
#include <sycl/detail/host/get_kernel_bundle.hpp>
#include <sycl/detail/host/kernel_bundle_state.hpp>
#include <sycl/device.hpp>
#include <sycl/errc.hpp>
#include <sycl/kernel_bundle.hpp>
#include <sycl/kernel_id.hpp>
#include <sycl/property_list.hpp>
#include <utility>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

// The context of all bundles, of which there must be some.
DOVETAIL_HOST_BODY context common_context(const std::vector<shared_bundle> &bundles) {
  if (bundles.empty())
    fail(errc::invalid, "there are no kernel bundles to link or join");
  for (const shared_bundle &each : bundles)
    if (each->where != bundles.front()->where)
      fail(errc::invalid, "the kernel bundles have different contexts");
  return bundles.front()->where;
}

// The devices that all of the bundles, of which there are some, have.
DOVETAIL_HOST_BODY std::vector<device> common_devices(const std::vector<shared_bundle> &bundles) {
  std::vector<device> common;
  for (const device &each : bundles.front()->devices)
    if (std::all_of(bundles.begin(), bundles.end(),
                    [&](const shared_bundle &bundle) { return bundle->has(each); }))
      common.push_back(each);
  return common;
}

// The values of the first bundle that has the kernel.
DOVETAIL_HOST_BODY const constant_values &constants_of(const fitting_kernel &kernel,
                                                       const std::vector<shared_bundle> &bundles) {
  for (const shared_bundle &bundle : bundles)
    if (const fitting_kernel *same = bundle->find(kernel_id_access::symbol(kernel.id)))
      return same->constants;
  return kernel.constants;
}

// The kernels of all bundles, each once, with those of the devices that can run it and the values
// of specialization constants.
DOVETAIL_HOST_BODY shared_bundle merge(const std::vector<shared_bundle> &bundles,
                                       const std::vector<device> &devices) {
  context where = common_context(bundles);
  std::vector<device> own = checked_devices(devices, common_devices(bundles));
  std::vector<kernel_id> ids;
  for (const shared_bundle &bundle : bundles)
    for (const fitting_kernel &kernel : bundle->kernels)
      ids.push_back(kernel.id);
  std::vector<fitting_kernel> kernels = only_fitting(find_fitting(each_once(ids), own));
  constant_values constants;
  for (fitting_kernel &kernel : kernels)
    kernel.constants = constants_of(kernel, bundles);
  for (const shared_bundle &bundle : bundles)
    constants.add(bundle->constants);
  return make_bundle(where, std::move(own), std::move(kernels), std::move(constants));
}

template <bundle_state State>
kernel_bundle<State> advance(const std::vector<shared_bundle> &bundles,
                             const std::vector<device> &devices) {
  return kernel_bundle_access::make<State>(finished(State, merge(bundles, devices)));
}

} // namespace host

DOVETAIL_HOST_BODY shared_bundle join_bundles(const std::vector<shared_bundle> &bundles) {
  host::common_context(bundles);
  std::vector<device> common = host::common_devices(bundles);
  for (const shared_bundle &each : bundles)
    if (each->devices.size() != common.size())
      fail(errc::invalid, "the kernel bundles have different devices");
  return host::merge(bundles, common);
}

} // namespace detail

DOVETAIL_HOST_BODY kernel_bundle<bundle_state::object>
compile(const kernel_bundle<bundle_state::input> &bundle, const std::vector<device> &devices,
        const property_list &) {
  return detail::host::advance<bundle_state::object>({detail::kernel_bundle_access::state(bundle)},
                                                     devices);
}
DOVETAIL_HOST_BODY kernel_bundle<bundle_state::object>
compile(const kernel_bundle<bundle_state::input> &bundle, const property_list &properties) {
  return compile(bundle, bundle.get_devices(), properties);
}

DOVETAIL_HOST_BODY kernel_bundle<bundle_state::executable>
link(const std::vector<kernel_bundle<bundle_state::object>> &bundles,
     const std::vector<device> &devices, const property_list &) {
  return detail::host::advance<bundle_state::executable>(
      detail::kernel_bundle_access::states(bundles), devices);
}
DOVETAIL_HOST_BODY kernel_bundle<bundle_state::executable>
link(const std::vector<kernel_bundle<bundle_state::object>> &bundles,
     const property_list &properties) {
  std::vector<detail::shared_bundle> states = detail::kernel_bundle_access::states(bundles);
  detail::host::common_context(states);
  return link(bundles, detail::host::common_devices(states), properties);
}
DOVETAIL_HOST_BODY kernel_bundle<bundle_state::executable>
link(const kernel_bundle<bundle_state::object> &bundle, const std::vector<device> &devices,
     const property_list &properties) {
  return link(std::vector{bundle}, devices, properties);
}
DOVETAIL_HOST_BODY kernel_bundle<bundle_state::executable>
link(const kernel_bundle<bundle_state::object> &bundle, const property_list &properties) {
  return link(bundle, bundle.get_devices(), properties);
}

DOVETAIL_HOST_BODY kernel_bundle<bundle_state::executable>
build(const kernel_bundle<bundle_state::input> &bundle, const std::vector<device> &devices,
      const property_list &) {
  return detail::host::advance<bundle_state::executable>(
      {detail::kernel_bundle_access::state(bundle)}, devices);
}
DOVETAIL_HOST_BODY kernel_bundle<bundle_state::executable>
build(const kernel_bundle<bundle_state::input> &bundle, const property_list &properties) {
  return build(bundle, bundle.get_devices(), properties);
}

} // namespace _V1
} // namespace sycl
