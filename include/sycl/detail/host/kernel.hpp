// The members of class kernel.
#pragma once

#include <cstddef>
#include <sycl/backend.hpp>
#include <sycl/bundle_state.hpp>
#include <sycl/context.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/body.hpp>
#include <sycl/detail/host/device_info.hpp>
#include <sycl/detail/host/kernel_bundle_state.hpp>
#include <sycl/detail/host/runtime.hpp>
#include <sycl/device.hpp>
#include <sycl/errc.hpp>
#include <sycl/info/kernel.hpp>
#include <sycl/kernel.hpp>
#include <sycl/kernel_bundle.hpp>
#include <sycl/kernel_id.hpp>
#include <sycl/range.hpp>
#include <type_traits>
#include <utility>

namespace sycl {
inline namespace _V1 {
namespace detail {

struct kernel_access {
  static kernel make(shared_bundle bundle, const kernel_id &id) {
    return kernel(std::move(bundle), id);
  }
};

namespace host {

// All 0 if the kernel takes work-groups of any size.
DOVETAIL_HOST_BODY range<3> required_work_group(const kernel_bundle_state &bundle,
                                                const kernel_id &id, const device &where) {
  const char *symbol = kernel_id_access::symbol(id);
  if (!bundle.has(symbol, where))
    fail(errc::invalid, "the kernel bundle does not have the kernel for this device");
  std::size_t size[3] = {};
  call(&api_table::kernel_work_group, device_access::index(where), symbol, size);
  return {size[0], size[1], size[2]};
}

} // namespace host
} // namespace detail

DOVETAIL_HOST_BODY backend kernel::get_backend() const noexcept {
  return bundle->where.get_backend();
}
DOVETAIL_HOST_BODY context kernel::get_context() const { return bundle->where; }
DOVETAIL_HOST_BODY kernel_bundle<bundle_state::executable> kernel::get_kernel_bundle() const {
  return detail::kernel_bundle_access::make<bundle_state::executable>(bundle);
}

template <typename Query> typename Query::return_type kernel::get_info() const {
  static_assert(std::is_same_v<Query, info::kernel::context>, "not a query that a kernel answers");
  return get_context();
}

template <typename Query> typename Query::return_type kernel::get_info(const device &where) const {
  using namespace info::kernel_device_specific;
  range<3> required = detail::host::required_work_group(*bundle, id, where);
  if constexpr (std::is_same_v<Query, compile_work_group_size>)
    return required;
  else {
    static_assert(std::is_same_v<Query, work_group_size>,
                  "not a query that a kernel answers for a device");
    return required.size() ? required.size() : where.get_info<info::device::max_work_group_size>();
  }
}

} // namespace _V1
} // namespace sycl
