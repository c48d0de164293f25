// The floating-point functions on the host, through the compiler's built-ins and not through
// <cmath>, which is a heavy header.
#pragma once

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

// Half precision is computed in single precision and then rounded.
#define DOVETAIL_UNARY(NAME)                                                                       \
  inline float NAME(float x) { return __builtin_##NAME##f(x); }                                    \
  inline double NAME(double x) { return __builtin_##NAME(x); }                                     \
  inline _Float16 NAME(_Float16 x) {                                                               \
    return static_cast<_Float16>(__builtin_##NAME##f(static_cast<float>(x)));                      \
  }
#define DOVETAIL_BINARY(NAME)                                                                      \
  inline float NAME(float x, float y) { return __builtin_##NAME##f(x, y); }                        \
  inline double NAME(double x, double y) { return __builtin_##NAME(x, y); }                        \
  inline _Float16 NAME(_Float16 x, _Float16 y) {                                                   \
    return static_cast<_Float16>(                                                                  \
        __builtin_##NAME##f(static_cast<float>(x), static_cast<float>(y)));                        \
  }
// The product of two half-precision numbers is exact in double precision, and so is the sum but
// for the last bit.
#define DOVETAIL_TERNARY(NAME)                                                                     \
  inline float NAME(float x, float y, float z) { return __builtin_##NAME##f(x, y, z); }            \
  inline double NAME(double x, double y, double z) { return __builtin_##NAME(x, y, z); }           \
  inline _Float16 NAME(_Float16 x, _Float16 y, _Float16 z) {                                       \
    return static_cast<_Float16>(                                                                  \
        __builtin_##NAME(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z))); \
  }
#define DOVETAIL_INTEGER(NAME)                                                                     \
  inline float NAME(float x, int n) { return __builtin_##NAME##f(x, n); }                          \
  inline double NAME(double x, int n) { return __builtin_##NAME(x, n); }                           \
  inline _Float16 NAME(_Float16 x, int n) {                                                        \
    return static_cast<_Float16>(__builtin_##NAME##f(static_cast<float>(x), n));                   \
  }
// Written out below.
#define DOVETAIL_UNARY_CL(NAME)
#define DOVETAIL_BINARY_CL(NAME)
#define DOVETAIL_TERNARY_CL(NAME)
#define DOVETAIL_INTEGER_CL(NAME)
#include <sycl/detail/math_functions.inc>

template <typename DataT> DataT degrees(DataT x) {
  return x * static_cast<DataT>(57.295779513082320877);
}
template <typename DataT> DataT radians(DataT x) {
  return x * static_cast<DataT>(0.017453292519943295769);
}
template <typename DataT> DataT rsqrt(DataT x) { return static_cast<DataT>(1) / host::sqrt(x); }

// Preserves the sign of zero and returns zero for NaN, as OpenCL does.
template <typename DataT> DataT sign(DataT x) {
  if (x != x)
    return static_cast<DataT>(0);
  return x == static_cast<DataT>(0) ? x : host::copysign(static_cast<DataT>(1), x);
}

template <typename DataT> DataT powr(DataT x, DataT y) { return host::pow(x, y); }
template <typename DataT> DataT step(DataT edge, DataT x) {
  return static_cast<DataT>(x < edge ? 0 : 1);
}
template <typename DataT> DataT fmin_common(DataT x, DataT y) { return y < x ? y : x; }
template <typename DataT> DataT fmax_common(DataT x, DataT y) { return x < y ? y : x; }

template <typename DataT> DataT mad(DataT x, DataT y, DataT z) { return x * y + z; }
template <typename DataT> DataT mix(DataT x, DataT y, DataT weight) { return x + (y - x) * weight; }
template <typename DataT> DataT fclamp(DataT x, DataT low, DataT high) {
  return fmin_common(fmax_common(x, low), high);
}

template <typename DataT> DataT smoothstep(DataT edge0, DataT edge1, DataT x) {
  DataT t =
      fclamp<DataT>((x - edge0) / (edge1 - edge0), static_cast<DataT>(0), static_cast<DataT>(1));
  return t * t * (static_cast<DataT>(3) - static_cast<DataT>(2) * t);
}

template <typename DataT> DataT pown(DataT x, int n) { return host::pow(x, static_cast<DataT>(n)); }

inline float recip(float x) { return 1.0f / x; }
inline float divide(float x, float y) { return x / y; }

} // namespace host
} // namespace detail
} // namespace _V1
} // namespace sycl
