// What the vectors and the functions on them have to know about types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sycl/half.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

template <typename T, int N> class vec;

namespace detail {

template <typename Vector, int... Indices> class swizzle;

// Vectors of three elements take the place of four. No alignment exceeds 64 bytes.
template <typename T, int N>
inline constexpr std::size_t vec_alignment =
    sizeof(T) * (N == 3 ? 4 : N) < 64 ? sizeof(T) * (N == 3 ? 4 : N) : 64;

template <int N>
inline constexpr bool is_vec_size = N == 1 || N == 2 || N == 3 || N == 4 || N == 8 || N == 16;

template <typename T>
inline constexpr bool is_floating = std::is_floating_point_v<T> || std::is_same_v<T, half>;

template <typename T>
inline constexpr bool is_vec_element = std::is_arithmetic_v<T> || std::is_same_v<T, half>;

// The signed integer of a size: what a comparison gives for each element.
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
template <typename T> using truth_t = typename signed_integer<sizeof(T)>::type;

// A group of numbers that functions treat element by element: a vector, some elements of one.
// `type` is the group as a value, `truth` what a question about each element gives.
template <typename T> struct number_group {
  static constexpr bool value = false;
};

template <typename T, int N> struct number_group<vec<T, N>> {
  static constexpr bool value = true;
  static constexpr std::size_t size = N;
  using element = T;
  using type = vec<T, N>;
  using truth = vec<truth_t<T>, N>;
};

template <typename T, int N, int... Indices>
struct number_group<swizzle<vec<T, N>, Indices...>> : number_group<vec<T, sizeof...(Indices)>> {};

template <typename T, int N, int... Indices>
struct number_group<swizzle<const vec<T, N>, Indices...>>
    : number_group<vec<T, sizeof...(Indices)>> {};

template <typename T> inline constexpr bool is_number_group = number_group<T>::value;

// How many elements an argument of a constructor stands for; a scalar for one.
template <typename T, bool = is_number_group<T>> inline constexpr std::size_t element_count = 1;
template <typename T> inline constexpr std::size_t element_count<T, true> = number_group<T>::size;

// Whether an argument can give elements of type T: a scalar that converts, or a vector of T.
template <typename T, typename Argument, bool = is_number_group<Argument>>
inline constexpr bool gives_elements = std::is_convertible_v<Argument, T>;
template <typename T, typename Argument>
inline constexpr bool gives_elements<T, Argument, true> =
    std::is_same_v<typename number_group<Argument>::element, T>;

} // namespace detail
} // namespace _V1
} // namespace sycl
