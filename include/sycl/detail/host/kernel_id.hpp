// The functions that find kernels.
#pragma once

#include <cstddef>
#include <sycl/detail/fail.hpp>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/body.hpp>
#include <sycl/detail/host/runtime.hpp>
#include <sycl/errc.hpp>
#include <sycl/kernel_id.hpp>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

DOVETAIL_HOST_BODY void check_symbol(const char *symbol) {
  if (!*symbol)
    fail(errc::runtime, "there is no device code: compile the program with -fsycl");
}

} // namespace host

DOVETAIL_HOST_BODY kernel_id find_kernel(const char *symbol) {
  host::check_symbol(symbol);
  host::kernel_name found = {};
  host::call(&host::api_table::kernel_find, symbol, &found);
  return kernel_id_access::make(found.symbol, found.name);
}

} // namespace detail

DOVETAIL_HOST_BODY std::vector<kernel_id> get_kernel_ids() {
  using namespace detail::host;
  std::size_t count = 0;
  call(&api_table::kernel_list, nullptr, 0, &count);
  std::vector<kernel_name> names(count);
  call(&api_table::kernel_list, names.data(), names.size(), &count);
  std::vector<kernel_id> ids;
  for (const kernel_name &each : names)
    ids.push_back(detail::kernel_id_access::make(each.symbol, each.name));
  return ids;
}

} // namespace _V1
} // namespace sycl
