// has_known_identity, known_identity: the identity element of a function object.
#pragma once

#include <limits>
#include <sycl/detail/vec_traits.hpp>
#include <sycl/functional.hpp>
#include <type_traits>
#include <utility>

namespace sycl {
inline namespace _V1 {
namespace detail {

// Whether a type is std::complex of floating-point numbers, which <complex> need not define here.
template <typename DataT, typename = void> inline constexpr bool is_complex = false;
template <template <typename> typename Complex, typename PartT>
inline constexpr bool
    is_complex<Complex<PartT>, std::void_t<decltype(std::declval<Complex<PartT>>().real()),
                                           decltype(std::declval<Complex<PartT>>().imag())>> =
        is_floating<PartT>;

// For scalars; without `value` if there is no identity.
template <typename Operation, typename DataT, typename = void> struct identity {
  static constexpr bool known = false;
};

#define DOVETAIL_IDENTITY(NAME, CONDITION, VALUE)                                                  \
  template <typename OperandT, typename DataT>                                                     \
  struct identity<NAME<OperandT>, DataT,                                                           \
                  std::enable_if_t<(CONDITION) && (std::is_same_v<OperandT, DataT> ||              \
                                                   std::is_void_v<OperandT>)>> {                   \
    static constexpr bool known = true;                                                            \
    static constexpr DataT value = VALUE;                                                          \
  };

DOVETAIL_IDENTITY(plus, is_vec_element<DataT>, static_cast<DataT>(0))
DOVETAIL_IDENTITY(multiplies, is_vec_element<DataT>, static_cast<DataT>(1))
DOVETAIL_IDENTITY(plus, is_complex<DataT>, DataT(0))
DOVETAIL_IDENTITY(multiplies, is_complex<DataT>, DataT(1))
DOVETAIL_IDENTITY(bit_and, std::is_integral_v<DataT>, static_cast<DataT>(-1))
DOVETAIL_IDENTITY(bit_or, std::is_integral_v<DataT>, static_cast<DataT>(0))
DOVETAIL_IDENTITY(bit_xor, std::is_integral_v<DataT>, static_cast<DataT>(0))
// Only for bool: for other types, these return 0 or 1, so they have no identity.
DOVETAIL_IDENTITY(logical_and, (std::is_same_v<DataT, bool>), true)
DOVETAIL_IDENTITY(logical_or, (std::is_same_v<DataT, bool>), false)
DOVETAIL_IDENTITY(minimum, std::is_integral_v<DataT>, std::numeric_limits<DataT>::max())
DOVETAIL_IDENTITY(maximum, std::is_integral_v<DataT>, std::numeric_limits<DataT>::lowest())
DOVETAIL_IDENTITY(minimum, is_floating<DataT>, std::numeric_limits<DataT>::infinity())
DOVETAIL_IDENTITY(maximum, is_floating<DataT>,
                  static_cast<DataT>(-std::numeric_limits<DataT>::infinity()))
#undef DOVETAIL_IDENTITY

// For vectors: the identity of the element type in each element.
template <template <typename> typename Operation, typename OperandT, typename VecT>
struct identity<Operation<OperandT>, VecT,
                std::enable_if_t<is_number_group<VecT> &&
                                 (std::is_same_v<OperandT, VecT> || std::is_void_v<OperandT>)>> {
  using of_element = identity<Operation<void>, typename number_group<VecT>::element>;
  static constexpr bool known = of_element::known;
  static constexpr VecT value = VecT(of_element::value);
};

} // namespace detail

template <typename BinaryOperation, typename AccumulatorT> struct has_known_identity {
  static constexpr bool value = detail::identity<detail::sycl_operation_t<BinaryOperation>,
                                                 std::remove_cv_t<AccumulatorT>>::known;
};

template <typename BinaryOperation, typename AccumulatorT>
inline constexpr bool has_known_identity_v =
    has_known_identity<BinaryOperation, AccumulatorT>::value;

template <typename BinaryOperation, typename AccumulatorT> struct known_identity {
  static_assert(has_known_identity_v<BinaryOperation, AccumulatorT>,
                "no identity is known for this operation and type");
  static constexpr std::remove_cv_t<AccumulatorT> value =
      detail::identity<detail::sycl_operation_t<BinaryOperation>,
                       std::remove_cv_t<AccumulatorT>>::value;
};

template <typename BinaryOperation, typename AccumulatorT>
inline constexpr AccumulatorT known_identity_v =
    known_identity<BinaryOperation, AccumulatorT>::value;

} // namespace _V1
} // namespace sycl
