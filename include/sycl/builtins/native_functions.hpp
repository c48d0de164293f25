// native: float functions as fast as the device has them, of whatever precision that is.
#pragma once

#include <sycl/detail/math.hpp>

namespace sycl {
inline namespace _V1 {
namespace native {

#define DOVETAIL_UNARY(NAME)                                                                       \
  inline float NAME(float x) { return DOVETAIL_FAST_MATH(native, NAME)(x); }
#define DOVETAIL_BINARY(NAME)                                                                      \
  inline float NAME(float x, float y) { return DOVETAIL_FAST_MATH(native, NAME)(x, y); }
#include <sycl/detail/fast_math_functions.inc>

} // namespace native
} // namespace _V1
} // namespace sycl
