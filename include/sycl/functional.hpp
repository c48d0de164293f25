// The function objects that group algorithms take: plus, multiplies, bit_and and the others. Those
// of the standard library are accepted too.
#pragma once

#include <functional>
#include <sycl/builtins/vec_functions.hpp>
#include <sycl/detail/vec_traits.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

// For vectors: the minimum and maximum of each pair of elements.
template <typename DataT> constexpr DataT lesser(const DataT &x, const DataT &y) {
  if constexpr (is_number_group<DataT>)
    return sycl::min(x, y);
  else
    return y < x ? y : x;
}

template <typename DataT> constexpr DataT greater(const DataT &x, const DataT &y) {
  if constexpr (is_number_group<DataT>)
    return sycl::max(x, y);
  else
    return x < y ? y : x;
}

// SYCL's function object that does the same; void for other operations.
template <typename Operation> struct sycl_operation {
  using type = void;
};
template <typename Operation>
using sycl_operation_t = typename sycl_operation<std::remove_cv_t<Operation>>::type;

} // namespace detail

// Each also as NAME<>, which takes operands of any type. Small types are promoted to int on the
// way, hence the conversion back.
#define DOVETAIL_FUNCTION_OBJECT(NAME, EXPRESSION)                                                 \
  template <typename DataT = void> struct NAME {                                                   \
    constexpr DataT operator()(const DataT &x, const DataT &y) const {                             \
      return static_cast<DataT>(EXPRESSION);                                                       \
    }                                                                                              \
  };                                                                                               \
  template <> struct NAME<void> {                                                                  \
    using is_transparent = void;                                                                   \
    template <typename LeftT, typename RightT>                                                     \
    constexpr std::common_type_t<LeftT, RightT> operator()(const LeftT &left,                      \
                                                           const RightT &right) const {            \
      return NAME<std::common_type_t<LeftT, RightT>>()(left, right);                               \
    }                                                                                              \
  };                                                                                               \
  namespace detail {                                                                               \
  template <typename DataT> struct sycl_operation<NAME<DataT>> {                                   \
    using type = NAME<DataT>;                                                                      \
  };                                                                                               \
  }

DOVETAIL_FUNCTION_OBJECT(plus, (x + y))
DOVETAIL_FUNCTION_OBJECT(multiplies, ((x) * (y)))
DOVETAIL_FUNCTION_OBJECT(bit_and, ((x) & (y)))
DOVETAIL_FUNCTION_OBJECT(bit_or, (x | y))
DOVETAIL_FUNCTION_OBJECT(bit_xor, (x ^ y))
DOVETAIL_FUNCTION_OBJECT(logical_and, ((x) && (y)))
DOVETAIL_FUNCTION_OBJECT(logical_or, (x || y))
DOVETAIL_FUNCTION_OBJECT(minimum, detail::lesser(x, y))
DOVETAIL_FUNCTION_OBJECT(maximum, detail::greater(x, y))
#undef DOVETAIL_FUNCTION_OBJECT

namespace detail {

#define DOVETAIL_STANDARD_OBJECT(NAME)                                                             \
  template <typename DataT> struct sycl_operation<std::NAME<DataT>> {                              \
    using type = sycl::NAME<DataT>;                                                                \
  };

DOVETAIL_STANDARD_OBJECT(plus)
DOVETAIL_STANDARD_OBJECT(multiplies)
DOVETAIL_STANDARD_OBJECT(bit_and)
DOVETAIL_STANDARD_OBJECT(bit_or)
DOVETAIL_STANDARD_OBJECT(bit_xor)
DOVETAIL_STANDARD_OBJECT(logical_and)
DOVETAIL_STANDARD_OBJECT(logical_or)
#undef DOVETAIL_STANDARD_OBJECT

template <typename Operation>
inline constexpr bool is_function_object = !std::is_void_v<sycl_operation_t<Operation>>;

// Whether an operation is one of SYCL's on a type, for example `plus<float>` or `std::plus<>`.
template <template <typename> typename Name, typename Operation, typename DataT>
inline constexpr bool is_operation = std::is_same_v<sycl_operation_t<Operation>, Name<DataT>> ||
                                     std::is_same_v<sycl_operation_t<Operation>, Name<void>>;

} // namespace detail
} // namespace _V1
} // namespace sycl
