// The functions of unified shared memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sycl/aspects.hpp>
#include <sycl/context.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/body.hpp>
#include <sycl/detail/host/runtime.hpp>
#include <sycl/device.hpp>
#include <sycl/errc.hpp>
#include <sycl/usm.hpp>
#include <sycl/usm/alloc.hpp>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

static_assert(static_cast<std::uint32_t>(usm::alloc::host) == usm_host &&
              static_cast<std::uint32_t>(usm::alloc::device) == usm_device &&
              static_cast<std::uint32_t>(usm::alloc::shared) == usm_shared &&
              static_cast<std::uint32_t>(usm::alloc::unknown) == usm_unknown);

DOVETAIL_HOST_BODY bool can_allocate(const device &d, usm::alloc kind) {
  switch (kind) {
  case usm::alloc::host:
    return d.has(aspect::usm_host_allocations);
  case usm::alloc::device:
    return d.has(aspect::usm_device_allocations);
  case usm::alloc::shared:
    return d.has(aspect::usm_shared_allocations);
  case usm::alloc::unknown:
    break;
  }
  return false;
}

} // namespace host
} // namespace detail

DOVETAIL_HOST_BODY void *aligned_alloc(std::size_t alignment, std::size_t size, const device &owner,
                                       const context &, usm::alloc kind, const property_list &) {
  if (!detail::host::can_allocate(owner, kind))
    detail::fail(errc::feature_not_supported, "the device has no memory of this kind");
  if (size == 0)
    return nullptr;
  void *address = nullptr;
  detail::host::call(&detail::host::api_table::usm_allocate, detail::device_access::index(owner),
                     static_cast<std::uint32_t>(kind), size, alignment, &address);
  return address;
}

DOVETAIL_HOST_BODY void *aligned_alloc_host(std::size_t alignment, std::size_t size,
                                            const context &where, const property_list &properties) {
  return aligned_alloc(alignment, size, where.get_devices().front(), where, usm::alloc::host,
                       properties);
}

DOVETAIL_HOST_BODY void free(void *address, const context &) {
  if (address)
    detail::host::call(&detail::host::api_table::usm_free, address);
}

DOVETAIL_HOST_BODY usm::alloc get_pointer_type(const void *address, const context &) {
  std::uint32_t kind = detail::host::usm_unknown;
  std::uint32_t owner = 0;
  detail::host::call(&detail::host::api_table::usm_info, address, &kind, &owner);
  return static_cast<usm::alloc>(kind);
}

DOVETAIL_HOST_BODY device get_pointer_device(const void *address, const context &) {
  std::uint32_t kind = detail::host::usm_unknown;
  std::uint32_t owner = 0;
  detail::host::call(&detail::host::api_table::usm_info, address, &kind, &owner);
  if (kind == detail::host::usm_unknown)
    detail::fail(errc::invalid, "the pointer is not one to unified shared memory");
  return detail::device_access::make(owner);
}

} // namespace _V1
} // namespace sycl
