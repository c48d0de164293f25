// Floating-point functions that are written in terms of others: those with a second result, those
// of multiples of pi, and questions of representation. Each device has the functions that they
// call.
#pragma once

#include <cstdint>
#include <limits>
#include <sycl/bit_cast.hpp>
#include <sycl/builtins/common_functions.hpp>
#include <sycl/builtins/math_functions.hpp>
#include <sycl/builtins/relational_functions.hpp>
#include <sycl/detail/vec_traits.hpp>
#include <sycl/half.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

template <typename DataT>
inline constexpr bool is_math_type =
    std::is_same_v<DataT, float> || std::is_same_v<DataT, double> || std::is_same_v<DataT, half>;

template <typename DataT> using if_math_type = std::enable_if_t<is_math_type<DataT>, int>;

// A pointer or multi_ptr to a result.
template <typename Pointer> using pointee_t = std::remove_reference_t<decltype(*Pointer{})>;
template <typename Pointer, typename DataT>
using if_points_to = std::enable_if_t<std::is_same_v<pointee_t<Pointer>, DataT>, int>;

template <typename DataT> inline constexpr DataT pi = static_cast<DataT>(3.14159265358979323846L);

// What is left of the division by two, between -1 and 1; exact.
template <typename DataT> DataT reduced_by_two(DataT x) {
  return sycl::remainder(x, static_cast<DataT>(2));
}

} // namespace detail

template <typename DataT, typename Pointer, detail::if_math_type<DataT> = 0,
          detail::if_points_to<Pointer, DataT> = 0>
DataT sincos(DataT x, Pointer cosine) {
  *cosine = sycl::cos(x);
  return sycl::sin(x);
}

// Both parts have the sign of the number; infinity has no fraction.
template <typename DataT, typename Pointer, detail::if_math_type<DataT> = 0,
          detail::if_points_to<Pointer, DataT> = 0>
DataT modf(DataT x, Pointer whole) {
  DataT truncated = sycl::trunc(x);
  *whole = truncated;
  return sycl::copysign(sycl::isinf(x) ? static_cast<DataT>(0) : static_cast<DataT>(x - truncated),
                        x);
}

// What is left of the next lower integer, always less than one.
template <typename DataT, typename Pointer, detail::if_math_type<DataT> = 0,
          detail::if_points_to<Pointer, DataT> = 0>
DataT fract(DataT x, Pointer whole) {
  DataT floor = sycl::floor(x);
  *whole = floor;
  if (sycl::isinf(x))
    return sycl::copysign(static_cast<DataT>(0), x);
  DataT below_one =
      static_cast<DataT>(1) - std::numeric_limits<DataT>::epsilon() / static_cast<DataT>(2);
  return sycl::isnan(x) ? x : sycl::fmin(static_cast<DataT>(x - floor), below_one);
}

// A number between 0.5 and 1 and a power of two.
template <typename DataT, typename Pointer, detail::if_math_type<DataT> = 0,
          detail::if_points_to<Pointer, int> = 0>
DataT frexp(DataT x, Pointer exponent) {
  if (x == static_cast<DataT>(0) || !sycl::isfinite(x)) {
    *exponent = 0;
    return x;
  }
  int power = static_cast<int>(sycl::logb(x)) + 1;
  *exponent = power;
  // In two steps: the inverse of the smallest power is too large for a number.
  int half_power = power / 2;
  return sycl::ldexp(sycl::ldexp(x, -half_power), half_power - power);
}

// The sign is that of the gamma function.
template <typename DataT, typename Pointer, detail::if_math_type<DataT> = 0,
          detail::if_points_to<Pointer, int> = 0>
DataT lgamma_r(DataT x, Pointer sign) {
  DataT floor = sycl::floor(x);
  bool is_negative =
      x < static_cast<DataT>(0)
          ? x != floor && sycl::fmod(floor, static_cast<DataT>(2)) != static_cast<DataT>(0)
          : sycl::signbit(x);
  *sign = is_negative ? -1 : 1;
  return sycl::lgamma(x);
}

// The low seven bits of the quotient, with its sign.
template <typename DataT, typename Pointer, detail::if_math_type<DataT> = 0,
          detail::if_points_to<Pointer, int> = 0>
DataT remquo(DataT x, DataT y, Pointer quotient) {
  DataT rest = sycl::remainder(x, y);
  *quotient = 0;
  if (sycl::isnan(rest) || sycl::isinf(y))
    return rest;
  DataT divisor = sycl::fabs(y), many = divisor * static_cast<DataT>(128);
  DataT value = sycl::fabs(x);
  DataT small = sycl::isinf(many) ? value : sycl::fmod(value, many);
  DataT least = sycl::remainder(small, divisor);
  int count = static_cast<int>(sycl::rint((small - least) / divisor)) & 127;
  *quotient = sycl::signbit(x) == sycl::signbit(y) ? count : -count;
  return rest;
}

template <typename DataT, detail::if_math_type<DataT> = 0> DataT acospi(DataT x) {
  return sycl::acos(x) / detail::pi<DataT>;
}
template <typename DataT, detail::if_math_type<DataT> = 0> DataT asinpi(DataT x) {
  return sycl::asin(x) / detail::pi<DataT>;
}
template <typename DataT, detail::if_math_type<DataT> = 0> DataT atanpi(DataT x) {
  return sycl::atan(x) / detail::pi<DataT>;
}
template <typename DataT, detail::if_math_type<DataT> = 0> DataT atan2pi(DataT y, DataT x) {
  return sycl::atan2(y, x) / detail::pi<DataT>;
}

// Exact for multiples of a half.
template <typename DataT, detail::if_math_type<DataT> = 0> DataT sinpi(DataT x) {
  DataT reduced = detail::reduced_by_two(x);
  if (reduced == static_cast<DataT>(0) || sycl::fabs(reduced) == static_cast<DataT>(1))
    return sycl::copysign(static_cast<DataT>(0), x);
  // Near one, of the distance to it.
  if (sycl::fabs(reduced) > static_cast<DataT>(0.5))
    reduced = sycl::copysign(static_cast<DataT>(1), reduced) - reduced;
  return sycl::sin(detail::pi<DataT> * reduced);
}
template <typename DataT, detail::if_math_type<DataT> = 0> DataT cospi(DataT x) {
  DataT reduced = sycl::fabs(detail::reduced_by_two(x));
  return reduced < static_cast<DataT>(0.25) ? sycl::cos(detail::pi<DataT> * reduced)
                                            : sycl::sinpi(static_cast<DataT>(0.5) - reduced);
}
template <typename DataT, detail::if_math_type<DataT> = 0> DataT tanpi(DataT x) {
  return sycl::sinpi(x) / sycl::cospi(x);
}

template <typename DataT, detail::if_math_type<DataT> = 0> int ilogb(DataT x) {
  if (x == static_cast<DataT>(0))
    return -std::numeric_limits<int>::max();
  return sycl::isfinite(x) ? static_cast<int>(sycl::logb(x)) : std::numeric_limits<int>::max();
}

template <typename DataT, detail::if_math_type<DataT> = 0> DataT maxmag(DataT x, DataT y) {
  DataT a = sycl::fabs(x), b = sycl::fabs(y);
  return a > b ? x : b > a ? y : sycl::fmax(x, y);
}
template <typename DataT, detail::if_math_type<DataT> = 0> DataT minmag(DataT x, DataT y) {
  DataT a = sycl::fabs(x), b = sycl::fabs(y);
  return a < b ? x : b < a ? y : sycl::fmin(x, y);
}

template <typename DataT, detail::if_math_type<DataT> = 0> DataT nextafter(DataT x, DataT y) {
  using BitsT = detail::unsigned_bits_t<DataT>;
  if (sycl::isnan(x) || sycl::isnan(y))
    return x + y;
  if (x == y)
    return y;
  if (x == static_cast<DataT>(0))
    return sycl::copysign(sycl::bit_cast<DataT>(BitsT(1)), y);
  BitsT bits = sycl::bit_cast<BitsT>(x);
  return sycl::bit_cast<DataT>(
      static_cast<BitsT>((x < y) == (x > static_cast<DataT>(0)) ? bits + 1 : bits - 1));
}

// Of negative numbers there are odd roots only.
template <typename DataT, detail::if_math_type<DataT> = 0> DataT rootn(DataT x, int n) {
  bool is_odd = n % 2 != 0;
  if (n == 0 || (!is_odd && x < static_cast<DataT>(0)))
    return std::numeric_limits<DataT>::quiet_NaN();
  DataT root = n == 2 ? sycl::sqrt(x)
                      : sycl::pow(sycl::fabs(x), static_cast<DataT>(1) / static_cast<DataT>(n));
  return is_odd ? sycl::copysign(root, x) : root;
}

inline float nan(std::uint32_t code) {
  return sycl::bit_cast<float>(0x7fc00000u | (code & 0x003fffffu));
}
inline double nan(std::uint64_t code) {
  return sycl::bit_cast<double>(0x7ff8000000000000u | (code & 0x0007ffffffffffffu));
}
inline half nan(std::uint16_t code) {
  return sycl::bit_cast<half>(static_cast<std::uint16_t>(0x7e00u | (code & 0x01ffu)));
}

} // namespace _V1
} // namespace sycl
