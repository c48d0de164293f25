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

template <typename DataT> DataT sub_group::shuffle(DataT value, id_type source) const {
  return select_from_group(*this, value, source);
}
template <typename DataT> DataT sub_group::shuffle_down(DataT value, linear_id_type delta) const {
  return shift_group_left(*this, value, delta);
}
template <typename DataT> DataT sub_group::shuffle_up(DataT value, linear_id_type delta) const {
  return shift_group_right(*this, value, delta);
}
template <typename DataT> DataT sub_group::shuffle_xor(DataT value, id_type mask) const {
  return permute_group_by_xor(*this, value, static_cast<linear_id_type>(mask[0]));
}

} // namespace _V1
} // namespace sycl
