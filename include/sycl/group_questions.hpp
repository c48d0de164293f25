// any_of_group, all_of_group, none_of_group, and their joint forms for a range of memory.
#pragma once

#include <cstddef>
#include <sycl/detail/group_arithmetic.hpp>
#include <sycl/detail/group_constraints.hpp>

namespace sycl {
inline namespace _V1 {

template <typename Group, detail::if_group_of_items<Group> = 0>
bool any_of_group(Group over, bool value) {
  return detail::group_arithmetic::any(over, value);
}

template <typename Group, detail::if_group_of_items<Group> = 0>
bool all_of_group(Group over, bool value) {
  return !any_of_group(over, !value);
}

template <typename Group, detail::if_group_of_items<Group> = 0>
bool none_of_group(Group over, bool value) {
  return !any_of_group(over, value);
}

#define DOVETAIL_QUESTION_OF_GROUP(NAME)                                                           \
  template <typename Group, typename DataT, typename Predicate,                                    \
            detail::if_group_of_items<Group> = 0>                                                  \
  bool NAME(Group over, DataT value, Predicate predicate) {                                        \
    return NAME(over, static_cast<bool>(predicate(value)));                                        \
  }
DOVETAIL_QUESTION_OF_GROUP(any_of_group)
DOVETAIL_QUESTION_OF_GROUP(all_of_group)
DOVETAIL_QUESTION_OF_GROUP(none_of_group)
#undef DOVETAIL_QUESTION_OF_GROUP

template <typename Group, typename Ptr, typename Predicate, detail::if_group_of_items<Group> = 0,
          detail::if_range_pointer<Ptr> = 0>
bool joint_any_of(Group over, Ptr first, Ptr last, Predicate predicate) {
  const std::ptrdiff_t count = last - first, step = over.get_local_linear_range();
  bool found = false;
  for (std::ptrdiff_t i = over.get_local_linear_id(); i < count && !found; i += step)
    found = static_cast<bool>(predicate(first[i]));
  return any_of_group(over, found);
}

template <typename Group, typename Ptr, typename Predicate, detail::if_group_of_items<Group> = 0,
          detail::if_range_pointer<Ptr> = 0>
bool joint_all_of(Group over, Ptr first, Ptr last, Predicate predicate) {
  return !joint_any_of(over, first, last,
                       [&](const auto &value) { return !static_cast<bool>(predicate(value)); });
}

template <typename Group, typename Ptr, typename Predicate, detail::if_group_of_items<Group> = 0,
          detail::if_range_pointer<Ptr> = 0>
bool joint_none_of(Group over, Ptr first, Ptr last, Predicate predicate) {
  return !joint_any_of(over, first, last, predicate);
}

} // namespace _V1
} // namespace sycl
