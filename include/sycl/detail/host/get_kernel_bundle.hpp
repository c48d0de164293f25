// Creating kernel bundles from the runtime's information which kernels fit which devices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <sycl/aspects.hpp>
#include <sycl/bundle_state.hpp>
#include <sycl/context.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/body.hpp>
#include <sycl/detail/host/kernel_bundle_state.hpp>
#include <sycl/detail/host/runtime.hpp>
#include <sycl/device.hpp>
#include <sycl/errc.hpp>
#include <sycl/exception.hpp>
#include <sycl/get_kernel_bundle.hpp>
#include <sycl/kernel_bundle.hpp>
#include <sycl/kernel_id.hpp>
#include <utility>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

// Each once, in the order of their first appearance.
template <typename DataT> std::vector<DataT> each_once(const std::vector<DataT> &all) {
  std::vector<DataT> once;
  for (const DataT &each : all)
    if (std::find(once.begin(), once.end(), each) == once.end())
      once.push_back(each);
  return once;
}

// Returns the devices without duplicates; throws if there are none, or one is not allowed.
DOVETAIL_HOST_BODY std::vector<device> checked_devices(const std::vector<device> &devices,
                                                       const std::vector<device> &choice) {
  if (devices.empty())
    fail(errc::invalid, "a kernel bundle needs a device");
  for (const device &each : devices)
    if (std::find(choice.begin(), choice.end(), each) == choice.end())
      fail(errc::invalid, "a device is not among those of the context or the kernel bundle");
  return each_once(devices);
}

// Code that is still to be compiled or linked needs devices that can do so.
DOVETAIL_HOST_BODY bool can_have_state(bundle_state state, const std::vector<device> &devices) {
  if (state == bundle_state::executable)
    return true;
  aspect needed = state == bundle_state::input ? aspect::online_compiler : aspect::online_linker;
  for (const device &each : devices)
    if (!each.has(needed))
      return false;
  return true;
}

DOVETAIL_HOST_BODY void check_state(bundle_state state, const std::vector<device> &devices) {
  if (!can_have_state(state, devices))
    fail(errc::invalid, state == bundle_state::input
                            ? "a device lacks aspect 'online_compiler', for a bundle of input code"
                            : "a device lacks aspect 'online_linker', for a bundle of object code");
}

// The kernels, each with the devices that can run it, which may be none.
DOVETAIL_HOST_BODY std::vector<fitting_kernel> find_fitting(const std::vector<kernel_id> &ids,
                                                            const std::vector<device> &devices) {
  std::vector<fitting_kernel> kernels;
  std::vector<const char *> symbols;
  for (const kernel_id &id : ids) {
    kernels.push_back({id, {}, {}});
    symbols.push_back(kernel_id_access::symbol(id));
  }
  std::vector<std::int32_t> codes(symbols.size());
  for (const device &each : devices) {
    call(&api_table::kernel_fit, device_access::index(each), symbols.data(), symbols.size(),
         codes.data());
    for (std::size_t i = 0; i < codes.size(); ++i)
      if (codes[i] == 0)
        kernels[i].devices.push_back(each);
  }
  return kernels;
}

DOVETAIL_HOST_BODY bool fits_nowhere(const fitting_kernel &kernel) {
  return kernel.devices.empty();
}

DOVETAIL_HOST_BODY bool all_fit(const std::vector<fitting_kernel> &kernels) {
  return std::none_of(kernels.begin(), kernels.end(), fits_nowhere);
}

// Removes the kernels that fit no device.
DOVETAIL_HOST_BODY std::vector<fitting_kernel>
only_fitting(const std::vector<fitting_kernel> &kernels) {
  std::vector<fitting_kernel> fitting;
  for (const fitting_kernel &kernel : kernels)
    if (!fits_nowhere(kernel))
      fitting.push_back(kernel);
  return fitting;
}

// The reasons why each device cannot run the kernel.
DOVETAIL_HOST_BODY std::string reasons(const kernel_id &id, const std::vector<device> &devices) {
  std::string text;
  const char *symbol = kernel_id_access::symbol(id);
  for (const device &each : devices) {
    std::int32_t code = 0;
    call(&api_table::kernel_fit, device_access::index(each), &symbol, 1, &code);
    text += (text.empty() ? "" : "\n") + error_text();
  }
  return text;
}

DOVETAIL_HOST_BODY void build_code(const kernel_bundle_state &bundle) {
  for (const device &each : bundle.devices) {
    std::vector<const char *> symbols;
    std::vector<std::uint64_t> constants;
    for (const fitting_kernel &kernel : bundle.kernels)
      if (kernel.fits(each)) {
        symbols.push_back(kernel_id_access::symbol(kernel.id));
        constants.push_back(kernel.constants.number());
      }
    call(&api_table::kernel_build, device_access::index(each), symbols.data(), constants.data(),
         symbols.size());
  }
}

DOVETAIL_HOST_BODY shared_bundle make_bundle(const context &where, std::vector<device> devices,
                                             std::vector<fitting_kernel> kernels,
                                             constant_values constants = {}) {
  return shared_bundle(
      new kernel_bundle_state{where, std::move(devices), std::move(kernels), std::move(constants)});
}

} // namespace host

DOVETAIL_HOST_BODY shared_bundle find_bundle(bundle_state state, const context &where,
                                             const std::vector<device> &devices) {
  std::vector<device> own = host::checked_devices(devices, where.get_devices());
  host::check_state(state, own);
  std::vector<fitting_kernel> kernels = host::find_fitting(get_kernel_ids(), own);
  return host::make_bundle(where, std::move(own), host::only_fitting(kernels));
}

DOVETAIL_HOST_BODY shared_bundle find_bundle(bundle_state state, const context &where,
                                             const std::vector<device> &devices,
                                             const std::vector<kernel_id> &wanted) {
  std::vector<device> own = host::checked_devices(devices, where.get_devices());
  host::check_state(state, own);
  std::vector<fitting_kernel> kernels = host::find_fitting(host::each_once(wanted), own);
  for (const fitting_kernel &kernel : kernels)
    if (host::fits_nowhere(kernel))
      throw exception(make_error_code(errc::invalid), host::reasons(kernel.id, own));
  return host::make_bundle(where, std::move(own), std::move(kernels));
}

DOVETAIL_HOST_BODY shared_bundle finished(bundle_state state, shared_bundle bundle) {
  if (state == bundle_state::executable)
    host::build_code(*bundle);
  return bundle;
}

DOVETAIL_HOST_BODY bool has_bundle(bundle_state state, const context &where,
                                   const std::vector<device> &devices) {
  std::vector<device> own = host::checked_devices(devices, where.get_devices());
  if (!host::can_have_state(state, own))
    return false;
  return !host::only_fitting(host::find_fitting(get_kernel_ids(), own)).empty();
}

DOVETAIL_HOST_BODY bool has_bundle(bundle_state state, const context &where,
                                   const std::vector<device> &devices,
                                   const std::vector<kernel_id> &wanted) {
  std::vector<device> own = host::checked_devices(devices, where.get_devices());
  return host::can_have_state(state, own) && host::all_fit(host::find_fitting(wanted, own));
}

} // namespace detail

DOVETAIL_HOST_BODY bool is_compatible(const std::vector<kernel_id> &kernels, const device &where) {
  return detail::host::all_fit(detail::host::find_fitting(kernels, {where}));
}

} // namespace _V1
} // namespace sycl
