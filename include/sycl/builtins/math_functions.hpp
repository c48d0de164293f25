// SYCL's floating-point functions for float, double and half.
//
// Plain overloads and not templates, so that `pow(x, 2)` converts its arguments as SYCL says.
#pragma once

#include <sycl/detail/math.hpp>
#include <sycl/half.hpp>

namespace sycl {
inline namespace _V1 {

#define DOVETAIL_UNARY(NAME)                                                                       \
  inline float NAME(float x) { return DOVETAIL_MATH(NAME)(x); }                                    \
  inline double NAME(double x) { return DOVETAIL_MATH(NAME)(x); }                                  \
  inline half NAME(half x) { return DOVETAIL_MATH(NAME)(static_cast<_Float16>(x)); }
#define DOVETAIL_BINARY(NAME)                                                                      \
  inline float NAME(float x, float y) { return DOVETAIL_MATH(NAME)(x, y); }                        \
  inline double NAME(double x, double y) { return DOVETAIL_MATH(NAME)(x, y); }                     \
  inline half NAME(half x, half y) {                                                               \
    return DOVETAIL_MATH(NAME)(static_cast<_Float16>(x), static_cast<_Float16>(y));                \
  }
#define DOVETAIL_TERNARY(NAME)                                                                     \
  inline float NAME(float x, float y, float z) { return DOVETAIL_MATH(NAME)(x, y, z); }            \
  inline double NAME(double x, double y, double z) { return DOVETAIL_MATH(NAME)(x, y, z); }        \
  inline half NAME(half x, half y, half z) {                                                       \
    return DOVETAIL_MATH(NAME)(static_cast<_Float16>(x), static_cast<_Float16>(y),                 \
                               static_cast<_Float16>(z));                                          \
  }
#define DOVETAIL_INTEGER(NAME)                                                                     \
  inline float NAME(float x, int n) { return DOVETAIL_MATH(NAME)(x, n); }                          \
  inline double NAME(double x, int n) { return DOVETAIL_MATH(NAME)(x, n); }                        \
  inline half NAME(half x, int n) { return DOVETAIL_MATH(NAME)(static_cast<_Float16>(x), n); }
#define DOVETAIL_UNARY_CL(NAME) DOVETAIL_UNARY(NAME)
#define DOVETAIL_BINARY_CL(NAME) DOVETAIL_BINARY(NAME)
#define DOVETAIL_TERNARY_CL(NAME) DOVETAIL_TERNARY(NAME)
#define DOVETAIL_INTEGER_CL(NAME) DOVETAIL_INTEGER(NAME)
#include <sycl/detail/math_functions.inc>

} // namespace _V1
} // namespace sycl
