// SYCL's min, max and clamp for float, double and half. The other common functions (mix, step, ...)
// have the same name in OpenCL and are among the floating-point functions.
#pragma once

#include <sycl/detail/math.hpp>
#include <sycl/half.hpp>

namespace sycl {
inline namespace _V1 {

inline float min(float x, float y) { return DOVETAIL_MATH(fmin_common)(x, y); }
inline double min(double x, double y) { return DOVETAIL_MATH(fmin_common)(x, y); }
inline half min(half x, half y) {
  return DOVETAIL_MATH(fmin_common)(static_cast<_Float16>(x), static_cast<_Float16>(y));
}

inline float max(float x, float y) { return DOVETAIL_MATH(fmax_common)(x, y); }
inline double max(double x, double y) { return DOVETAIL_MATH(fmax_common)(x, y); }
inline half max(half x, half y) {
  return DOVETAIL_MATH(fmax_common)(static_cast<_Float16>(x), static_cast<_Float16>(y));
}

inline float clamp(float x, float low, float high) { return DOVETAIL_MATH(fclamp)(x, low, high); }
inline double clamp(double x, double low, double high) {
  return DOVETAIL_MATH(fclamp)(x, low, high);
}
inline half clamp(half x, half low, half high) {
  return DOVETAIL_MATH(fclamp)(static_cast<_Float16>(x), static_cast<_Float16>(low),
                               static_cast<_Float16>(high));
}

} // namespace _V1
} // namespace sycl
