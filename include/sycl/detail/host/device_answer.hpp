// device_answer: how a device answers a query.
#pragma once

#include <cstdint>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/device_info.hpp>
#include <sycl/info/device.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

// Which query of the runtime answers an info descriptor of the standard, where the answer needs no
// more than reading.
template <typename Query> inline constexpr int query_number = -1;

#define DOVETAIL_ANSWER(NAME)                                                                      \
  template <>                                                                                      \
  inline constexpr int query_number<info::device::NAME> = static_cast<int>(device_query::NAME);

DOVETAIL_ANSWER(name)
DOVETAIL_ANSWER(vendor)
DOVETAIL_ANSWER(driver_version)
DOVETAIL_ANSWER(version)
DOVETAIL_ANSWER(max_compute_units)
DOVETAIL_ANSWER(max_work_group_size)
DOVETAIL_ANSWER(local_mem_size)
DOVETAIL_ANSWER(global_mem_size)
DOVETAIL_ANSWER(max_mem_alloc_size)
DOVETAIL_ANSWER(sub_group_sizes)
DOVETAIL_ANSWER(max_clock_frequency)
DOVETAIL_ANSWER(vendor_id)
DOVETAIL_ANSWER(address_bits)
DOVETAIL_ANSWER(max_num_sub_groups)
#undef DOVETAIL_ANSWER

template <typename Query> struct device_answer {
  using result = typename Query::return_type;
  static_assert(query_number<Query> >= 0, "not a query that a device answers");
  static constexpr device_query query = static_cast<device_query>(query_number<Query>);

  static result get(std::uint32_t device) {
    if constexpr (std::is_arithmetic_v<result>)
      return ask<result>(device, query);
    else
      return ask_list<result>(device, query);
  }
};

} // namespace host
} // namespace detail
} // namespace _V1
} // namespace sycl
