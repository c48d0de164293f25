// group_broadcast: the value of one work-item for all work-items of a group.
#pragma once

#include <sycl/detail/group_constraints.hpp>
#include <sycl/detail/group_scratch.hpp>
#include <sycl/detail/linear_id.hpp>
#include <sycl/detail/sub_group_exchange.hpp>
#include <sycl/group.hpp>
#include <sycl/sub_group.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

template <typename Group, typename DataT, detail::if_group_of_items<Group> = 0,
          detail::if_passed_around<DataT> = 0>
DataT group_broadcast(Group over, DataT value, typename Group::linear_id_type source) {
  if constexpr (std::is_same_v<Group, sub_group>)
    return detail::sub_group_exchange::from(value, source);
  else
    return detail::group_scratch::broadcast(value, over.get_local_linear_id() == source);
}

template <typename Group, typename DataT, detail::if_group_of_items<Group> = 0,
          detail::if_passed_around<DataT> = 0>
DataT group_broadcast(Group over, DataT value, typename Group::id_type source) {
  return group_broadcast(over, value,
                         static_cast<typename Group::linear_id_type>(
                             detail::linear_id(source, over.get_local_range())));
}

template <typename Group, typename DataT, detail::if_group_of_items<Group> = 0,
          detail::if_passed_around<DataT> = 0>
DataT group_broadcast(Group over, DataT value) {
  return group_broadcast(over, value, typename Group::linear_id_type(0));
}

} // namespace _V1
} // namespace sycl
