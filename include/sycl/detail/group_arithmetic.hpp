// Reductions and scans over a group: with the device's instruction if there is one that works,
// otherwise step by step.
//
// SPIR-V has instructions for the other operations too, but Intel's CPU runtime multiplies wrongly
// in partial sub-groups, and rejects them for work-groups. It crashes on the minimum and maximum of
// integers smaller than int in a work-group.
#pragma once

#include <cstdint>
#include <sycl/detail/group_fold.hpp>
#include <sycl/detail/group_scratch.hpp>
#include <sycl/detail/sub_group_exchange.hpp>
#include <sycl/detail/vec_traits.hpp>
#include <sycl/functional.hpp>
#include <sycl/group.hpp>
#include <sycl/half.hpp>
#include <sycl/sub_group.hpp>
#include <type_traits>

// The macro is for tests of the steps on a device that has the instructions.
#if defined(__SYCL_DEVICE_ONLY__) && defined(__SPIRV__) && !defined(DOVETAIL_GROUPS_STEP_BY_STEP)
#include <sycl/detail/barrier.hpp>
#include <sycl/detail/spirv/group_arithmetic.hpp>
#include <sycl/memory_scope.hpp>
#define DOVETAIL_GROUP_INSTRUCTIONS
#endif

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace group_arithmetic {

// Whether a group operation on the type is an instruction, and if so, which.
template <typename Operation, typename DataT, typename = void> struct instruction {
  static constexpr bool exists = false;
};

#ifdef DOVETAIL_GROUP_INSTRUCTIONS
// The number as the instructions take it: `long` and `long long` are one type there.
template <typename DataT> struct plain {
  using type = DataT;
};
template <> struct plain<half> {
  using type = _Float16;
};
template <typename DataT> using signed_t = typename signed_integer<sizeof(DataT)>::type;
template <typename DataT> using unsigned_t = std::make_unsigned_t<signed_t<DataT>>;
template <typename DataT> using floating_t = typename plain<DataT>::type;

template <typename DataT>
inline constexpr bool is_integer = std::is_integral_v<DataT> && sizeof(DataT) >= sizeof(int);

#define DOVETAIL_INSTRUCTION(OPERATION, CONDITION, TYPE, NAME)                                     \
  template <typename OperandT, typename DataT>                                                     \
  struct instruction<OPERATION<OperandT>, DataT,                                                   \
                     std::enable_if_t<(CONDITION) && (std::is_same_v<OperandT, DataT> ||           \
                                                      std::is_void_v<OperandT>)>> {                \
    static constexpr bool exists = true;                                                           \
    static DataT over(memory_scope scope, spirv::group_operation operation, DataT value) {         \
      return static_cast<DataT>(::__spirv_Group##NAME(spirv_scope(scope),                          \
                                                      static_cast<std::int32_t>(operation),        \
                                                      static_cast<TYPE<DataT>>(value)));           \
    }                                                                                              \
  };

DOVETAIL_INSTRUCTION(plus, is_integer<DataT>, unsigned_t, IAdd)
DOVETAIL_INSTRUCTION(plus, is_floating<DataT>, floating_t, FAdd)
DOVETAIL_INSTRUCTION(minimum, is_integer<DataT> &&std::is_signed_v<DataT>, signed_t, SMin)
DOVETAIL_INSTRUCTION(minimum, is_integer<DataT> &&std::is_unsigned_v<DataT>, unsigned_t, UMin)
DOVETAIL_INSTRUCTION(minimum, is_floating<DataT>, floating_t, FMin)
DOVETAIL_INSTRUCTION(maximum, is_integer<DataT> &&std::is_signed_v<DataT>, signed_t, SMax)
DOVETAIL_INSTRUCTION(maximum, is_integer<DataT> &&std::is_unsigned_v<DataT>, unsigned_t, UMax)
DOVETAIL_INSTRUCTION(maximum, is_floating<DataT>, floating_t, FMax)
#undef DOVETAIL_INSTRUCTION
#define DOVETAIL_INSTRUCTION(OPERATION)                                                            \
  instruction<Operation, DataT>::over(Group::fence_scope, spirv::group_operation::OPERATION, value)
#else
#define DOVETAIL_INSTRUCTION(OPERATION) value
#endif

template <typename Group, typename DataT, typename Operation>
DataT reduce([[maybe_unused]] Group over, DataT value, Operation operation) {
  if constexpr (instruction<Operation, DataT>::exists)
    return DOVETAIL_INSTRUCTION(reduce);
  else
    return group_fold::reduce(over, value, operation);
}

template <typename Group, typename DataT, typename Operation>
DataT inclusive_scan([[maybe_unused]] Group over, DataT value, Operation operation) {
  if constexpr (instruction<Operation, DataT>::exists)
    return DOVETAIL_INSTRUCTION(inclusive_scan);
  else
    return group_fold::inclusive_scan(over, value, operation);
}

template <typename Group, typename DataT, typename Operation>
DataT exclusive_scan([[maybe_unused]] Group over, DataT value, DataT initial, Operation operation) {
  if constexpr (instruction<Operation, DataT>::exists)
    return operation(initial, DOVETAIL_INSTRUCTION(exclusive_scan));
  else
    return group_fold::exclusive_scan(over, value, initial, operation);
}

#undef DOVETAIL_INSTRUCTION
#undef DOVETAIL_GROUP_INSTRUCTIONS

inline bool any(sub_group, bool value) { return sub_group_exchange::any(value); }

template <int Dimensions> bool any([[maybe_unused]] group<Dimensions> over, bool value) {
  using question = maximum<std::uint32_t>;
  if constexpr (instruction<question, std::uint32_t>::exists) {
    return reduce(over, std::uint32_t(value), question()) != 0;
  } else {
    const bool leads = sub_group_access::make().leader();
    bool result = false;
    group_scratch::visit_sub_groups(sub_group_exchange::any(value), leads,
                                    [&](std::uint32_t, bool other) { result |= other; });
    return result;
  }
}

} // namespace group_arithmetic
} // namespace detail
} // namespace _V1
} // namespace sycl
