// printf: formatted output of kernels and of the host.
#pragma once

#include <sycl/detail/printf_argument.hpp>

#if defined(__SYCL_DEVICE_ONLY__) && defined(__SPIRV__)
#include <sycl/detail/spirv/printf.hpp>
#endif

// Nothing on the host would print for AMD's GPUs.
#ifdef __AMDGCN__
#define DOVETAIL_NO_OUTPUT                                                                         \
  __attribute__((diagnose_if(                                                                      \
      true, "in kernels, printf prints nothing on AMD's GPUs; use sycl::stream", "warning")))
#else
#define DOVETAIL_NO_OUTPUT
#endif

namespace sycl {
inline namespace _V1 {
namespace ext {
namespace oneapi {
namespace experimental {

// The format is a literal or a constant variable, also one in constant memory. It has to be
// constant after inlining on SPIR-V devices. There it is OpenCL's, and a float stays one.
template <typename Character, typename... Arguments>
[[gnu::always_inline]] DOVETAIL_NO_OUTPUT inline int
printf([[maybe_unused]] const Character *format, [[maybe_unused]] Arguments... arguments) {
// Clang does not see here that the format is a literal.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-security"
#if defined(__SYCL_DEVICE_ONLY__) && defined(__SPIRV__)
  return ::__spirv_ocl_printf(format, sycl::detail::printf_argument(arguments)...);
#elif defined(__AMDGCN__)
  return -1;
#else
  return __builtin_printf((const char *)format, sycl::detail::printf_argument(arguments)...);
#endif
#pragma clang diagnostic pop
}

} // namespace experimental
} // namespace oneapi
} // namespace ext
} // namespace _V1
} // namespace sycl

#undef DOVETAIL_NO_OUTPUT
