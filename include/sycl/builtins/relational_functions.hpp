// SYCL's functions that classify floating-point numbers.
#pragma once

#include <sycl/detail/math.hpp>
#include <sycl/half.hpp>

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

} // namespace _V1
} // namespace sycl
