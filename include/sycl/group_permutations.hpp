// shift_group_left, shift_group_right, permute_group_by_xor, select_from_group: return the values
// of other work-items of the sub-group.
#pragma once

#include <cstdint>
#include <sycl/detail/group_constraints.hpp>
#include <sycl/detail/sub_group_exchange.hpp>
#include <sycl/sub_group.hpp>

namespace sycl {
inline namespace _V1 {

template <typename Group, typename DataT, detail::if_sub_group<Group> = 0,
          detail::if_passed_around<DataT> = 0>
DataT shift_group_left(Group, DataT value, typename Group::linear_id_type delta = 1) {
  return detail::sub_group_exchange::from_behind(value, delta);
}

template <typename Group, typename DataT, detail::if_sub_group<Group> = 0,
          detail::if_passed_around<DataT> = 0>
DataT shift_group_right(Group, DataT value, typename Group::linear_id_type delta = 1) {
  return detail::sub_group_exchange::from_before(value, delta);
}

template <typename Group, typename DataT, detail::if_sub_group<Group> = 0,
          detail::if_passed_around<DataT> = 0>
DataT permute_group_by_xor(Group, DataT value, typename Group::linear_id_type mask) {
  return detail::sub_group_exchange::from_xor(value, mask);
}

template <typename Group, typename DataT, detail::if_sub_group<Group> = 0,
          detail::if_passed_around<DataT> = 0>
DataT select_from_group(Group, DataT value, typename Group::id_type remote_local_id) {
  return detail::sub_group_exchange::from(value, static_cast<std::uint32_t>(remote_local_id[0]));
}

} // namespace _V1
} // namespace sycl
