// half_precision: float functions that promise no more than half-precision accuracy.
#pragma once

#include <sycl/detail/math.hpp>

namespace sycl {
inline namespace _V1 {
namespace half_precision {

#define DOVETAIL_UNARY(NAME)                                                                       \
  inline float NAME(float x) { return DOVETAIL_FAST_MATH(half, NAME)(x); }
#define DOVETAIL_BINARY(NAME)                                                                      \
  inline float NAME(float x, float y) { return DOVETAIL_FAST_MATH(half, NAME)(x, y); }
#include <sycl/detail/fast_math_functions.inc>

} // namespace half_precision
} // namespace _V1
} // namespace sycl
