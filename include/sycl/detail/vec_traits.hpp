// Type traits for vectors and functions on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sycl/ext/oneapi/bfloat16.hpp>
#include <sycl/half.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

template <typename DataT, int NumElements> class vec;

namespace detail {

template <typename Vector, int... Indices> class vec_swizzle;

// Vectors of three elements have the size of four. No alignment exceeds 64 bytes.
template <typename DataT, int NumElements>
inline constexpr std::size_t vec_alignment =
    sizeof(DataT) * (NumElements == 3 ? 4 : NumElements) < 64
        ? sizeof(DataT) * (NumElements == 3 ? 4 : NumElements)
        : 64;

template <int NumElements>
inline constexpr bool is_vec_size = NumElements == 1 || NumElements == 2 || NumElements == 3 ||
                                    NumElements == 4 || NumElements == 8 || NumElements == 16;

template <typename DataT>
inline constexpr bool is_floating =
    std::is_floating_point_v<DataT> || std::is_same_v<DataT, half> ||
    std::is_same_v<DataT, ext::oneapi::bfloat16>;

template <typename DataT>
inline constexpr bool is_number = std::is_arithmetic_v<DataT> || is_floating<DataT>;

template <typename DataT>
inline constexpr bool is_vec_element = is_number<DataT> || std::is_same_v<DataT, std::byte>;

// Whether a number of another type initializes elements of type DataT.
template <typename DataT, typename Scalar>
inline constexpr bool is_other_number =
    is_number<Scalar> && !std::is_same_v<Scalar, DataT> && std::is_convertible_v<Scalar, DataT>;

// The signed integer of a size: the result of a comparison for each element.
template <std::size_t Size> struct signed_integer;
template <> struct signed_integer<1> {
  using type = std::int8_t;
};
template <> struct signed_integer<2> {
  using type = std::int16_t;
};
template <> struct signed_integer<4> {
  using type = std::int32_t;
};
template <> struct signed_integer<8> {
  using type = std::int64_t;
};
template <typename DataT> using truth_t = typename signed_integer<sizeof(DataT)>::type;
template <typename DataT> using unsigned_bits_t = std::make_unsigned_t<truth_t<DataT>>;

// A group of numbers that functions treat element by element: a vector, some elements of one.
// `type` is the group as a value, `truth` the result of a comparison of elements, and `with` a
// group of other elements.
template <typename DataT> struct number_group {
  static constexpr bool value = false;
};

template <typename DataT, int NumElements> struct number_group<vec<DataT, NumElements>> {
  static constexpr bool value = true;
  static constexpr std::size_t size = NumElements;
  using element = DataT;
  using type = vec<DataT, NumElements>;
  using truth = vec<truth_t<DataT>, NumElements>;
  template <typename Other> using with = vec<Other, NumElements>;
};

template <typename DataT, int NumElements, int... Indices>
struct number_group<vec_swizzle<vec<DataT, NumElements>, Indices...>>
    : number_group<vec<DataT, sizeof...(Indices)>> {};

template <typename DataT, int NumElements, int... Indices>
struct number_group<vec_swizzle<const vec<DataT, NumElements>, Indices...>>
    : number_group<vec<DataT, sizeof...(Indices)>> {};

template <typename DataT> inline constexpr bool is_number_group = number_group<DataT>::value;

// The scalar operand of a group with elements of type DataT.
template <typename DataT, typename Scalar>
using if_scalar_of =
    std::enable_if_t<!is_number_group<Scalar> && std::is_convertible_v<Scalar, DataT>, int>;

// The number of elements that a constructor argument initializes; 1 for a scalar.
template <typename DataT, bool = is_number_group<DataT>>
inline constexpr std::size_t element_count = 1;
template <typename DataT>
inline constexpr std::size_t element_count<DataT, true> = number_group<DataT>::size;

// Whether an argument can initialize elements of type DataT: a scalar that converts, or a vector of
// DataT.
template <typename DataT, typename Argument, bool = is_number_group<Argument>>
inline constexpr bool gives_elements = std::is_convertible_v<Argument, DataT>;
template <typename DataT, typename Argument>
inline constexpr bool gives_elements<DataT, Argument, true> =
    std::is_same_v<typename number_group<Argument>::element, DataT>;

} // namespace detail
} // namespace _V1
} // namespace sycl
