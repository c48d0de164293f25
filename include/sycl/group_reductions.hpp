// reduce_over_group, joint_reduce: reductions of the values of a group, or of a range of memory.
#pragma once

#include <cstddef>
#include <sycl/detail/group_arithmetic.hpp>
#include <sycl/detail/group_constraints.hpp>
#include <sycl/known_identity.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

template <typename Group, typename DataT, typename BinaryOperation,
          detail::if_group_of_items<Group> = 0, detail::if_passed_around<DataT> = 0,
          detail::if_function_object<BinaryOperation> = 0>
DataT reduce_over_group(Group over, DataT value, BinaryOperation) {
  using operation_type = detail::sycl_operation_t<BinaryOperation>;
  static_assert(std::is_same_v<decltype(operation_type()(value, value)), DataT>,
                "the operation has to return what it takes");
  return detail::group_arithmetic::reduce(over, value, operation_type());
}

template <typename Group, typename ValueT, typename DataT, typename BinaryOperation,
          detail::if_group_of_items<Group> = 0, detail::if_passed_around<DataT> = 0,
          detail::if_function_object<BinaryOperation> = 0>
DataT reduce_over_group(Group over, ValueT value, DataT initial, BinaryOperation operation) {
  return static_cast<DataT>(
      operation(initial, reduce_over_group(over, static_cast<DataT>(value), operation)));
}

// The identity must be known, for work-items without elements of the range.
template <typename Group, typename Ptr, typename DataT, typename BinaryOperation,
          detail::if_group_of_items<Group> = 0, detail::if_range_pointer<Ptr> = 0,
          detail::if_function_object<BinaryOperation> = 0,
          std::enable_if_t<has_known_identity_v<BinaryOperation, DataT>, int> = 0>
DataT joint_reduce(Group over, Ptr first, Ptr last, DataT initial, BinaryOperation operation) {
  const std::ptrdiff_t count = last - first, step = over.get_local_linear_range();
  DataT partial = known_identity_v<BinaryOperation, DataT>;
  for (std::ptrdiff_t i = over.get_local_linear_id(); i < count; i += step)
    partial = static_cast<DataT>(operation(partial, static_cast<DataT>(first[i])));
  return reduce_over_group(over, partial, initial, operation);
}

template <typename Group, typename Ptr, typename BinaryOperation,
          detail::if_group_of_items<Group> = 0, detail::if_range_pointer<Ptr> = 0,
          detail::if_function_object<BinaryOperation> = 0,
          std::enable_if_t<has_known_identity_v<BinaryOperation, detail::pointed_t<Ptr>>, int> = 0>
detail::pointed_t<Ptr> joint_reduce(Group over, Ptr first, Ptr last, BinaryOperation operation) {
  return joint_reduce(over, first, last, known_identity_v<BinaryOperation, detail::pointed_t<Ptr>>,
                      operation);
}

} // namespace _V1
} // namespace sycl
