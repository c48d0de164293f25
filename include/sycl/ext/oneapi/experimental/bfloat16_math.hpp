// Mathematical functions for bfloat16, and vectors and arrays of it.
#pragma once

#include <cstdint>
#include <sycl/bit_cast.hpp>
#include <sycl/builtins/math_functions.hpp>
#include <sycl/builtins/vec_functions.hpp>
#include <sycl/detail/vec_traits.hpp>
#include <sycl/ext/oneapi/bfloat16.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

template <typename VecT, bool = is_number_group<VecT>>
inline constexpr bool is_bfloat16_group = false;
template <typename VecT>
inline constexpr bool is_bfloat16_group<VecT, true> =
    std::is_same_v<element_t<VecT>, ext::oneapi::bfloat16>;
template <typename VecT> using if_bfloat16_group = std::enable_if_t<is_bfloat16_group<VecT>, int>;

// Groups of the same kind and size.
template <typename VecT, typename... Others>
using if_bfloat16_groups =
    std::enable_if_t<is_bfloat16_group<VecT> && (is_number_group<Others> && ...) &&
                         (std::is_same_v<group_t<VecT>, group_t<Others>> && ...),
                     int>;

} // namespace detail

namespace ext::oneapi {

inline bool isnan(const bfloat16 &x) { return x != x; }

template <typename VecT, sycl::detail::if_bfloat16_group<VecT> = 0>
sycl::detail::group_truth_t<VecT> isnan(const VecT &x) {
  sycl::detail::group_truth_t<VecT> result{};
  for (int i = 0; i < sycl::detail::group_size<VecT>; ++i)
    result[i] = oneapi::isnan(x[i]) ? -1 : 0;
  return result;
}

inline bfloat16 fabs(const bfloat16 &x) {
  return sycl::bit_cast<bfloat16>(
      static_cast<std::uint16_t>(sycl::bit_cast<std::uint16_t>(x) & 0x7fff));
}

// Of a number and NaN, the number.
inline bfloat16 fmin(const bfloat16 &x, const bfloat16 &y) {
  return y < x || oneapi::isnan(x) ? y : x;
}
inline bfloat16 fmax(const bfloat16 &x, const bfloat16 &y) {
  return x < y || oneapi::isnan(x) ? y : x;
}

// The product is exact in float. If the sum is halfway between two numbers only because it was
// rounded to float, the part that was lost determines the direction.
inline bfloat16 fma(const bfloat16 &x, const bfloat16 &y, const bfloat16 &z) {
  float product = static_cast<float>(x) * static_cast<float>(y), addend = z;
  float sum = product + addend;
  float part = sum - product;
  float lost = (product - (sum - part)) + (addend - part);
  auto bits = sycl::bit_cast<std::uint32_t>(sum);
  if ((bits & 0xffff) == 0x8000 && lost != 0.0f)
    bits = (lost < 0.0f) == (sum < 0.0f) ? bits + 1 : bits - 1;
  return sycl::bit_cast<float>(bits);
}

#define DOVETAIL_GROUP(NAME)                                                                       \
  template <typename VecT, sycl::detail::if_bfloat16_group<VecT> = 0>                              \
  sycl::detail::group_t<VecT> NAME(const VecT &x) {                                                \
    sycl::detail::group_t<VecT> result{};                                                          \
    for (int i = 0; i < sycl::detail::group_size<VecT>; ++i)                                       \
      result[i] = oneapi::NAME(x[i]);                                                              \
    return result;                                                                                 \
  }
#define DOVETAIL_UNARY(NAME)                                                                       \
  inline bfloat16 NAME(const bfloat16 &x) { return sycl::NAME(static_cast<float>(x)); }            \
  DOVETAIL_GROUP(NAME)
DOVETAIL_GROUP(fabs)
DOVETAIL_UNARY(ceil)
DOVETAIL_UNARY(floor)
DOVETAIL_UNARY(rint)
DOVETAIL_UNARY(trunc)
DOVETAIL_UNARY(cos)
DOVETAIL_UNARY(sin)
DOVETAIL_UNARY(tanh)
DOVETAIL_UNARY(exp)
DOVETAIL_UNARY(exp2)
DOVETAIL_UNARY(exp10)
DOVETAIL_UNARY(log)
DOVETAIL_UNARY(log2)
DOVETAIL_UNARY(log10)
DOVETAIL_UNARY(sqrt)
DOVETAIL_UNARY(rsqrt)
#undef DOVETAIL_UNARY
#undef DOVETAIL_GROUP

#define DOVETAIL_BINARY(NAME)                                                                      \
  template <typename VecT, typename SecondT, sycl::detail::if_bfloat16_groups<VecT, SecondT> = 0>  \
  sycl::detail::group_t<VecT> NAME(const VecT &x, const SecondT &y) {                              \
    sycl::detail::group_t<VecT> result{};                                                          \
    for (int i = 0; i < sycl::detail::group_size<VecT>; ++i)                                       \
      result[i] = oneapi::NAME(x[i], y[i]);                                                        \
    return result;                                                                                 \
  }
DOVETAIL_BINARY(fmin)
DOVETAIL_BINARY(fmax)
#undef DOVETAIL_BINARY

template <typename VecT, typename SecondT, typename ThirdT,
          sycl::detail::if_bfloat16_groups<VecT, SecondT, ThirdT> = 0>
sycl::detail::group_t<VecT> fma(const VecT &x, const SecondT &y, const ThirdT &z) {
  sycl::detail::group_t<VecT> result{};
  for (int i = 0; i < sycl::detail::group_size<VecT>; ++i)
    result[i] = oneapi::fma(x[i], y[i], z[i]);
  return result;
}

// Earlier versions of the extension had them here.
namespace experimental {
using oneapi::bfloat16;
using oneapi::ceil;
using oneapi::cos;
using oneapi::exp;
using oneapi::exp10;
using oneapi::exp2;
using oneapi::fabs;
using oneapi::floor;
using oneapi::fma;
using oneapi::fmax;
using oneapi::fmin;
using oneapi::isnan;
using oneapi::log;
using oneapi::log10;
using oneapi::log2;
using oneapi::rint;
using oneapi::rsqrt;
using oneapi::sin;
using oneapi::sqrt;
using oneapi::tanh;
using oneapi::trunc;
} // namespace experimental

} // namespace ext::oneapi
} // namespace _V1
} // namespace sycl
