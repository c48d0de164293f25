// exclusive_scan_over_group, inclusive_scan_over_group: scans of the values of a group; and the
// joint forms, over a range of memory.
#pragma once

#include <cstddef>
#include <sycl/detail/group_arithmetic.hpp>
#include <sycl/detail/group_constraints.hpp>
#include <sycl/group_broadcast.hpp>
#include <sycl/known_identity.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

template <typename Group, typename ValueT, typename DataT, typename BinaryOperation,
          detail::if_group_of_items<Group> = 0, detail::if_passed_around<DataT> = 0,
          detail::if_function_object<BinaryOperation> = 0>
DataT exclusive_scan_over_group(Group over, ValueT value, DataT initial, BinaryOperation) {
  return detail::group_arithmetic::exclusive_scan(over, static_cast<DataT>(value), initial,
                                                  detail::sycl_operation_t<BinaryOperation>());
}

template <typename Group, typename DataT, typename BinaryOperation,
          detail::if_group_of_items<Group> = 0, detail::if_function_object<BinaryOperation> = 0,
          std::enable_if_t<has_known_identity_v<BinaryOperation, DataT>, int> = 0>
DataT exclusive_scan_over_group(Group over, DataT value, BinaryOperation operation) {
  return exclusive_scan_over_group(over, value, known_identity_v<BinaryOperation, DataT>,
                                   operation);
}

template <typename Group, typename DataT, typename BinaryOperation,
          detail::if_group_of_items<Group> = 0, detail::if_passed_around<DataT> = 0,
          detail::if_function_object<BinaryOperation> = 0>
DataT inclusive_scan_over_group(Group over, DataT value, BinaryOperation) {
  using operation_type = detail::sycl_operation_t<BinaryOperation>;
  static_assert(std::is_same_v<decltype(operation_type()(value, value)), DataT>,
                "the operation has to return what it takes");
  return detail::group_arithmetic::inclusive_scan(over, value, operation_type());
}

template <typename Group, typename ValueT, typename BinaryOperation, typename DataT,
          detail::if_group_of_items<Group> = 0, detail::if_passed_around<DataT> = 0,
          detail::if_function_object<BinaryOperation> = 0>
DataT inclusive_scan_over_group(Group over, ValueT value, BinaryOperation operation,
                                DataT initial) {
  return static_cast<DataT>(
      operation(initial, inclusive_scan_over_group(over, static_cast<DataT>(value), operation)));
}

namespace detail {

// Scans a range in blocks with one element for each work-item. `scan(value, carried, has_carried,
// to_carry)` returns the result of a work-item, and sets the value to carry to the next block.
template <typename DataT, typename Group, typename InPtr, typename OutPtr, typename Scan>
OutPtr scan_blocks(Group over, InPtr first, InPtr last, OutPtr result, DataT carried,
                   bool has_carried, Scan scan) {
  const std::ptrdiff_t count = last - first, step = over.get_local_linear_range();
  const std::ptrdiff_t own = over.get_local_linear_id();
  for (std::ptrdiff_t block = 0; block < count; block += step) {
    const std::ptrdiff_t place = block + own;
    // Beyond the end, the value does not matter: only unused results depend on it.
    const DataT value = static_cast<DataT>(first[place < count ? place : count - 1]);
    DataT to_carry = value;
    const DataT scanned = scan(value, carried, has_carried, to_carry);
    if (place < count)
      result[place] = scanned;
    carried =
        group_broadcast(over, to_carry, static_cast<typename Group::linear_id_type>(step - 1));
    has_carried = true;
  }
  return result + count;
}

template <typename DataT, typename Group, typename InPtr, typename OutPtr, typename Operation>
OutPtr joint_inclusive(Group over, InPtr first, InPtr last, OutPtr result, DataT initial,
                       bool has_initial, Operation operation) {
  return scan_blocks<DataT>(over, first, last, result, initial, has_initial,
                            [&](DataT value, DataT carried, bool has_carried, DataT &to_carry) {
                              const DataT scanned =
                                  inclusive_scan_over_group(over, value, operation);
                              return to_carry = has_carried ? operation(carried, scanned) : scanned;
                            });
}

} // namespace detail

template <typename Group, typename InPtr, typename OutPtr, typename DataT, typename BinaryOperation,
          detail::if_group_of_items<Group> = 0, detail::if_range_pointer<InPtr> = 0,
          detail::if_range_pointer<OutPtr> = 0, detail::if_passed_around<DataT> = 0,
          detail::if_function_object<BinaryOperation> = 0>
OutPtr joint_exclusive_scan(Group over, InPtr first, InPtr last, OutPtr result, DataT initial,
                            BinaryOperation operation) {
  return detail::scan_blocks<DataT>(over, first, last, result, initial, true,
                                    [&](DataT value, DataT carried, bool, DataT &to_carry) {
                                      const DataT scanned = exclusive_scan_over_group(
                                          over, value, carried, operation);
                                      to_carry = operation(scanned, value);
                                      return scanned;
                                    });
}

template <
    typename Group, typename InPtr, typename OutPtr, typename BinaryOperation,
    detail::if_group_of_items<Group> = 0, detail::if_range_pointer<InPtr> = 0,
    detail::if_range_pointer<OutPtr> = 0, detail::if_function_object<BinaryOperation> = 0,
    std::enable_if_t<has_known_identity_v<BinaryOperation, detail::pointed_t<InPtr>>, int> = 0>
OutPtr joint_exclusive_scan(Group over, InPtr first, InPtr last, OutPtr result,
                            BinaryOperation operation) {
  return joint_exclusive_scan(over, first, last, result,
                              known_identity_v<BinaryOperation, detail::pointed_t<InPtr>>,
                              operation);
}

template <typename Group, typename InPtr, typename OutPtr, typename BinaryOperation, typename DataT,
          detail::if_group_of_items<Group> = 0, detail::if_range_pointer<InPtr> = 0,
          detail::if_range_pointer<OutPtr> = 0, detail::if_passed_around<DataT> = 0,
          detail::if_function_object<BinaryOperation> = 0>
OutPtr joint_inclusive_scan(Group over, InPtr first, InPtr last, OutPtr result,
                            BinaryOperation operation, DataT initial) {
  return detail::joint_inclusive<DataT>(over, first, last, result, initial, true, operation);
}

template <typename Group, typename InPtr, typename OutPtr, typename BinaryOperation,
          detail::if_group_of_items<Group> = 0, detail::if_range_pointer<InPtr> = 0,
          detail::if_range_pointer<OutPtr> = 0, detail::if_function_object<BinaryOperation> = 0>
OutPtr joint_inclusive_scan(Group over, InPtr first, InPtr last, OutPtr result,
                            BinaryOperation operation) {
  using DataT = detail::pointed_t<InPtr>;
  // An empty range has no element to begin with.
  return first == last
             ? result
             : detail::joint_inclusive<DataT>(over, first, last, result, *first, false, operation);
}

} // namespace _V1
} // namespace sycl
