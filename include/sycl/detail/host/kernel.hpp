// The members of class kernel.
#pragma once

#include <cstddef>
#include <cstdint>
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
  static const kernel_id &id(const kernel &k) { return k.id; }
};

namespace host {

// The symbol of a kernel that the bundle has for a device.
DOVETAIL_HOST_BODY const char *symbol_for(const kernel_bundle_state &bundle, const kernel_id &id,
                                          const device &where) {
  const char *symbol = kernel_id_access::symbol(id);
  if (!bundle.has(symbol, where))
    fail(errc::invalid, "the kernel bundle does not have the kernel for this device");
  return symbol;
}

// All 0 if the kernel takes work-groups of any size.
DOVETAIL_HOST_BODY range<3> required_work_group(const kernel_bundle_state &bundle,
                                                const kernel_id &id, const device &where) {
  std::size_t size[3] = {};
  call(&api_table::kernel_work_group, device_access::index(where), symbol_for(bundle, id, where),
       size);
  return {size[0], size[1], size[2]};
}

DOVETAIL_HOST_BODY std::uint64_t ask_kernel(const kernel_bundle_state &bundle, const kernel_id &id,
                                            const device &where, kernel_query query) {
  std::uint64_t value = 0;
  call(&api_table::kernel_detail, device_access::index(where), symbol_for(bundle, id, where),
       static_cast<std::uint32_t>(query), &value);
  return value;
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
  namespace ask = info::kernel;
  if constexpr (std::is_same_v<Query, ask::context>)
    return get_context();
  else if constexpr (std::is_same_v<Query, ask::function_name>)
    return detail::kernel_id_access::symbol(id);
  else if constexpr (std::is_same_v<Query, ask::num_args>)
    return static_cast<std::uint32_t>(detail::host::ask_kernel(
        *bundle, id, bundle->where.get_devices().front(), detail::host::kernel_query::num_args));
  else {
    static_assert(std::is_same_v<Query, ask::attributes>, "not a query that a kernel answers");
    return {};
  }
}

template <typename Query> typename Query::return_type kernel::get_info(const device &where) const {
  namespace ask = info::kernel_device_specific;
  using detail::host::kernel_query;
  [[maybe_unused]] auto number = [&](kernel_query query) {
    return detail::host::ask_kernel(*bundle, id, where, query);
  };
  if constexpr (std::is_same_v<Query, ask::compile_work_group_size>)
    return detail::host::required_work_group(*bundle, id, where);
  else if constexpr (std::is_same_v<Query, ask::work_group_size>) {
    range<3> required = detail::host::required_work_group(*bundle, id, where);
    return required.size() ? required.size() : number(kernel_query::work_group_size);
  } else if constexpr (std::is_same_v<Query, ask::preferred_work_group_size_multiple>)
    return number(kernel_query::preferred_work_group_size_multiple);
  else if constexpr (std::is_same_v<Query, ask::private_mem_size>)
    return number(kernel_query::private_mem_size);
  else if constexpr (std::is_same_v<Query, ask::compile_sub_group_size>)
    return static_cast<std::uint32_t>(number(kernel_query::compile_sub_group_size));
  else if constexpr (std::is_same_v<Query, ask::max_sub_group_size>) {
    std::size_t largest = 0;
    for (std::size_t size : where.get_info<info::device::sub_group_sizes>())
      largest = size > largest ? size : largest;
    std::uint64_t required = number(kernel_query::compile_sub_group_size);
    return static_cast<std::uint32_t>(required ? required : largest);
  } else if constexpr (std::is_same_v<Query, ask::max_num_sub_groups>)
    return where.get_info<info::device::max_num_sub_groups>();
  else if constexpr (std::is_same_v<Query, ask::compile_num_sub_groups>)
    return 0;
  else {
    static_assert(std::is_same_v<Query, ask::global_work_size>,
                  "not a query that a kernel answers for a device");
    detail::fail(errc::invalid, "only built-in kernels and custom devices have a global size");
  }
}

} // namespace _V1
} // namespace sycl
