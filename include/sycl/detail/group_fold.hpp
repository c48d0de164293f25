// Reductions and scans over sub-groups and work-groups, with operations that every device supports.
// Operands are combined in the order of work-items. No identity is needed, so results are correct
// for every type and for partial sub-groups.
#pragma once

#include <cstdint>
#include <sycl/detail/group_scratch.hpp>
#include <sycl/detail/sub_group_exchange.hpp>
#include <sycl/detail/work_item.hpp>
#include <sycl/group.hpp>
#include <sycl/sub_group.hpp>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace group_fold {

template <typename DataT, typename Operation>
DataT reduce(sub_group own, DataT value, Operation operation) {
  const std::uint32_t place = own.get_local_linear_id(), size = own.get_local_linear_range();
  for (std::uint32_t distance = 1; distance < size; distance *= 2) {
    const DataT other = sub_group_exchange::from_behind(value, distance);
    if (place + distance < size)
      value = operation(value, other);
  }
  return sub_group_exchange::from(value, 0); // the first has met all others
}

template <typename DataT, typename Operation>
DataT inclusive_scan(sub_group own, DataT value, Operation operation) {
  const std::uint32_t place = own.get_local_linear_id(), size = own.get_local_linear_range();
  for (std::uint32_t distance = 1; distance < size; distance *= 2) {
    const DataT other = sub_group_exchange::from_before(value, distance);
    if (place >= distance)
      value = operation(other, value);
  }
  return value;
}

// The exclusive scan of a sub-group, from its inclusive scan.
template <typename DataT, typename Operation>
DataT before(sub_group own, DataT scanned, DataT initial, Operation operation) {
  const DataT other = sub_group_exchange::from_before(scanned, 1);
  return own.leader() ? initial : operation(initial, other);
}

template <typename DataT, typename Operation>
DataT exclusive_scan(sub_group own, DataT value, DataT initial, Operation operation) {
  return before(own, inclusive_scan(own, value, operation), initial, operation);
}

template <int Dimensions, typename DataT, typename Operation>
DataT reduce(group<Dimensions>, DataT value, Operation operation) {
  const sub_group own = sub_group_access::make();
  value = reduce(own, value, operation);
  DataT result = value;
  group_scratch::visit_sub_groups(value, own.leader(), [&](std::uint32_t number, DataT other) {
    result = number == 0 ? other : operation(result, other);
  });
  return result;
}

// `start` with the sums of all sub-groups before this one; without a `start`, only if there are
// any.
template <typename DataT, typename Operation>
DataT sub_groups_before(DataT scanned, DataT start, bool has_start, Operation operation) {
  const sub_group own = sub_group_access::make();
  const bool last = own.get_local_linear_id() + 1 == own.get_local_linear_range();
  group_scratch::visit_sub_groups(scanned, last, [&](std::uint32_t number, DataT other) {
    if (number < own.get_group_linear_id())
      start = number == 0 && !has_start ? other : operation(start, other);
  });
  return start;
}

template <int Dimensions, typename DataT, typename Operation>
DataT inclusive_scan(group<Dimensions>, DataT value, Operation operation) {
  const sub_group own = sub_group_access::make();
  const DataT scanned = inclusive_scan(own, value, operation);
  const DataT start = sub_groups_before(scanned, scanned, false, operation);
  return own.get_group_linear_id() == 0 ? scanned : operation(start, scanned);
}

template <int Dimensions, typename DataT, typename Operation>
DataT exclusive_scan(group<Dimensions>, DataT value, DataT initial, Operation operation) {
  const sub_group own = sub_group_access::make();
  const DataT scanned = inclusive_scan(own, value, operation);
  const DataT start = sub_groups_before(scanned, initial, true, operation);
  return before(own, scanned, start, operation);
}

} // namespace group_fold
} // namespace detail
} // namespace _V1
} // namespace sycl
