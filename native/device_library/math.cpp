// <cmath>: the functions of OpenCL under their names in C, and those that have no counterpart.

#include "library.h"

#define DOVETAIL_UNARY(NAME)                                                                       \
  DOVETAIL_LIBRARY float NAME##f(float x) noexcept { return __spirv_ocl_##NAME(x); }               \
  DOVETAIL_LIBRARY double NAME(double x) noexcept { return __spirv_ocl_##NAME(x); }
#define DOVETAIL_BINARY(NAME)                                                                      \
  DOVETAIL_LIBRARY float NAME##f(float x, float y) noexcept { return __spirv_ocl_##NAME(x, y); }   \
  DOVETAIL_LIBRARY double NAME(double x, double y) noexcept { return __spirv_ocl_##NAME(x, y); }
#define DOVETAIL_TERNARY(NAME)                                                                     \
  DOVETAIL_LIBRARY float NAME##f(float x, float y, float z) noexcept {                             \
    return __spirv_ocl_##NAME(x, y, z);                                                            \
  }                                                                                                \
  DOVETAIL_LIBRARY double NAME(double x, double y, double z) noexcept {                            \
    return __spirv_ocl_##NAME(x, y, z);                                                            \
  }
#define DOVETAIL_INTEGER(NAME)                                                                     \
  DOVETAIL_LIBRARY float NAME##f(float x, int n) noexcept { return __spirv_ocl_##NAME(x, n); }     \
  DOVETAIL_LIBRARY double NAME(double x, int n) noexcept { return __spirv_ocl_##NAME(x, n); }
// Functions that C does not have.
#define DOVETAIL_UNARY_CL(NAME)
#define DOVETAIL_BINARY_CL(NAME)
#define DOVETAIL_TERNARY_CL(NAME)
#define DOVETAIL_INTEGER_CL(NAME)
#include <sycl/detail/math_functions.inc>

// Other names of the same functions.
#define DOVETAIL_ALIAS(NAME, TARGET)                                                               \
  DOVETAIL_LIBRARY float NAME##f(float x) noexcept { return __spirv_ocl_##TARGET(x); }             \
  DOVETAIL_LIBRARY double NAME(double x) noexcept { return __spirv_ocl_##TARGET(x); }
DOVETAIL_ALIAS(nearbyint, rint)
DOVETAIL_ALIAS(roundeven, rint)
#undef DOVETAIL_ALIAS

// Conversions to integers.
#define DOVETAIL_ROUNDED(NAME, ROUND, RESULT)                                                      \
  DOVETAIL_LIBRARY RESULT NAME##f(float x) noexcept {                                              \
    return static_cast<RESULT>(__spirv_ocl_##ROUND(x));                                            \
  }                                                                                                \
  DOVETAIL_LIBRARY RESULT NAME(double x) noexcept {                                                \
    return static_cast<RESULT>(__spirv_ocl_##ROUND(x));                                            \
  }
DOVETAIL_ROUNDED(lround, round, long)
DOVETAIL_ROUNDED(llround, round, long long)
DOVETAIL_ROUNDED(lrint, rint, long)
DOVETAIL_ROUNDED(llrint, rint, long long)
#undef DOVETAIL_ROUNDED

namespace {

/// The results of `ilogb` in glibc for x86.
constexpr int LogOfZero = -2147483647 - 1;
constexpr int LogOfNaN = -2147483647 - 1;

template <typename Real> int exponentOf(Real x) {
  if (x == 0)
    return LogOfZero;
  return sycl::isnan(x) ? LogOfNaN : sycl::ilogb(x);
}

/// Limits a power of two to those that change the result of `ldexp`.
int limited(long n) { return n < -10000 ? -10000 : n > 10000 ? 10000 : static_cast<int>(n); }

} // namespace

#define DOVETAIL_FOR_TYPE(REAL, SUFFIX, MODE)                                                      \
  DOVETAIL_LIBRARY int ilogb##SUFFIX(REAL x) noexcept { return exponentOf(x); }                    \
  DOVETAIL_LIBRARY REAL scalbn##SUFFIX(REAL x, int n) noexcept { return __spirv_ocl_ldexp(x, n); } \
  DOVETAIL_LIBRARY REAL scalbln##SUFFIX(REAL x, long n) noexcept {                                 \
    return __spirv_ocl_ldexp(x, limited(n));                                                       \
  }                                                                                                \
  DOVETAIL_LIBRARY REAL frexp##SUFFIX(REAL x, int *n) noexcept { return sycl::frexp(x, n); }       \
  DOVETAIL_LIBRARY REAL modf##SUFFIX(REAL x, REAL *whole) noexcept {                               \
    return sycl::modf(x, whole);                                                                   \
  }                                                                                                \
  DOVETAIL_LIBRARY REAL remquo##SUFFIX(REAL x, REAL y, int *n) noexcept {                          \
    return sycl::remquo(x, y, n);                                                                  \
  }                                                                                                \
  DOVETAIL_LIBRARY REAL nextafter##SUFFIX(REAL x, REAL y) noexcept {                               \
    return sycl::nextafter(x, y);                                                                  \
  }                                                                                                \
  DOVETAIL_LIBRARY REAL lgamma##SUFFIX##_r(REAL x, int *sign) noexcept {                           \
    return sycl::lgamma_r(x, sign);                                                                \
  }                                                                                                \
  DOVETAIL_LIBRARY REAL __powi##MODE##2(REAL x, int n) noexcept { return __spirv_ocl_pown(x, n); } \
  DOVETAIL_LIBRARY void sincos##SUFFIX(REAL x, REAL *sine, REAL *cosine) noexcept {                \
    *sine = __spirv_ocl_sin(x);                                                                    \
    *cosine = __spirv_ocl_cos(x);                                                                  \
  }
DOVETAIL_FOR_TYPE(float, f, sf)
DOVETAIL_FOR_TYPE(double, , df)
#undef DOVETAIL_FOR_TYPE

// The payload of a NaN is not specified.
DOVETAIL_LIBRARY float nanf(const char *) noexcept { return __builtin_nanf(""); }
DOVETAIL_LIBRARY double nan(const char *) noexcept { return __builtin_nan(""); }
