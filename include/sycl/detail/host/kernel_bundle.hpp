// The members of class kernel_bundle and of its images.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <sycl/backend.hpp>
#include <sycl/context.hpp>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/body.hpp>
#include <sycl/detail/host/kernel.hpp>
#include <sycl/detail/host/kernel_bundle_state.hpp>
#include <sycl/detail/host/runtime.hpp>
#include <sycl/device.hpp>
#include <sycl/device_image.hpp>
#include <sycl/errc.hpp>
#include <sycl/exception.hpp>
#include <sycl/kernel.hpp>
#include <sycl/kernel_bundle.hpp>
#include <sycl/kernel_id.hpp>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

DOVETAIL_HOST_BODY bool uses_constant(const fitting_kernel &kernel, const char *identifier) {
  std::uint32_t uses = 0;
  call_quietly(&api_table::kernel_constant, kernel_id_access::symbol(kernel.id), identifier, &uses);
  return uses;
}

} // namespace host

DOVETAIL_HOST_BODY bool device_image_base::uses_constant(const char *identifier) const noexcept {
  return host::uses_constant(bundle->kernels[number], identifier);
}

DOVETAIL_HOST_BODY bool device_image_base::has_kernel(const kernel_id &id) const noexcept {
  return bundle->kernels[number].id == id;
}
DOVETAIL_HOST_BODY bool device_image_base::has_kernel(const kernel_id &id,
                                                      const device &where) const noexcept {
  return has_kernel(id) && bundle->kernels[number].fits(where);
}

DOVETAIL_HOST_BODY backend kernel_bundle_base::get_backend() const noexcept {
  return state->where.get_backend();
}
DOVETAIL_HOST_BODY context kernel_bundle_base::get_context() const noexcept { return state->where; }
DOVETAIL_HOST_BODY std::vector<device> kernel_bundle_base::get_devices() const noexcept {
  return state->devices;
}

DOVETAIL_HOST_BODY std::vector<kernel_id> kernel_bundle_base::get_kernel_ids() const {
  std::vector<kernel_id> ids;
  for (const fitting_kernel &kernel : state->kernels)
    ids.push_back(kernel.id);
  return ids;
}

DOVETAIL_HOST_BODY std::size_t kernel_bundle_base::size() const noexcept {
  return state->kernels.size();
}
DOVETAIL_HOST_BODY bool kernel_bundle_base::has_kernel(const char *symbol) const noexcept {
  return state->find(symbol) != nullptr;
}
DOVETAIL_HOST_BODY bool kernel_bundle_base::has_kernel(const char *symbol,
                                                       const device &where) const noexcept {
  return state->has(symbol, where);
}

DOVETAIL_HOST_BODY bool kernel_bundle_base::uses_constant(const char *identifier) const noexcept {
  for (const fitting_kernel &kernel : state->kernels)
    if (host::uses_constant(kernel, identifier))
      return true;
  return false;
}
DOVETAIL_HOST_BODY bool kernel_bundle_base::get_constant(const char *identifier, void *value,
                                                         std::size_t size) const {
  return state->constants.get(identifier, value, size);
}
DOVETAIL_HOST_BODY void kernel_bundle_base::set_constant(const char *identifier, const void *value,
                                                         std::size_t size) {
  state->set_constant(identifier, value, size);
}

DOVETAIL_HOST_BODY kernel kernel_bundle_base::find_kernel(const kernel_id &id) const {
  if (!has_kernel(id))
    throw exception(make_error_code(errc::invalid),
                    std::string("the kernel bundle does not have kernel '") + id.get_name() + "'");
  return kernel_access::make(state, id);
}

} // namespace detail
} // namespace _V1
} // namespace sycl
