// SYCL's functions that classify floating-point numbers.
#pragma once

#include <sycl/bit_cast.hpp>
#include <sycl/detail/math.hpp>
#include <sycl/detail/vec_traits.hpp>
#include <sycl/half.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

#define DOVETAIL_RELATIONAL(NAME, SPIRV)                                                           \
  inline bool NAME(float x) { return DOVETAIL_QUESTION(SPIRV, __builtin_##NAME)(x); }              \
  inline bool NAME(double x) { return DOVETAIL_QUESTION(SPIRV, __builtin_##NAME)(x); }             \
  inline bool NAME(half x) {                                                                       \
    return DOVETAIL_QUESTION(SPIRV, __builtin_##NAME)(static_cast<_Float16>(x));                   \
  }

DOVETAIL_RELATIONAL(isfinite, IsFinite)
DOVETAIL_RELATIONAL(isinf, IsInf)
DOVETAIL_RELATIONAL(isnan, IsNan)
DOVETAIL_RELATIONAL(isnormal, IsNormal)
DOVETAIL_RELATIONAL(signbit, SignBitSet)
#undef DOVETAIL_RELATIONAL

#define DOVETAIL_COMPARISON(NAME, CONDITION)                                                       \
  inline bool NAME(float x, float y) { return CONDITION; }                                         \
  inline bool NAME(double x, double y) { return CONDITION; }                                       \
  inline bool NAME(half x, half y) { return CONDITION; }

DOVETAIL_COMPARISON(isequal, x == y)
DOVETAIL_COMPARISON(isnotequal, x != y)
DOVETAIL_COMPARISON(isgreater, x > y)
DOVETAIL_COMPARISON(isgreaterequal, x >= y)
DOVETAIL_COMPARISON(isless, x < y)
DOVETAIL_COMPARISON(islessequal, x <= y)
DOVETAIL_COMPARISON(islessgreater, x<y || x> y)
DOVETAIL_COMPARISON(isordered, x == x && y == y)
DOVETAIL_COMPARISON(isunordered, x != x || y != y)
#undef DOVETAIL_COMPARISON

namespace detail {

template <typename DataT>
using if_number = std::enable_if_t<std::is_arithmetic_v<DataT> || std::is_same_v<DataT, half>, int>;

} // namespace detail

// Each bit of the second value where the bit of the mask is set, else of the first.
template <typename DataT, detail::if_number<DataT> = 0>
constexpr DataT bitselect(DataT no, DataT yes, DataT mask) {
  using BitsT = detail::unsigned_bits_t<DataT>;
  BitsT bits = sycl::bit_cast<BitsT>(mask);
  return sycl::bit_cast<DataT>(static_cast<BitsT>((sycl::bit_cast<BitsT>(no) & ~bits) |
                                                  (sycl::bit_cast<BitsT>(yes) & bits)));
}

} // namespace _V1
} // namespace sycl
