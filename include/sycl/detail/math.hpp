// The implementation of the built-in functions; only this file selects between device and host.
//
//   DOVETAIL_MATH(f)             a function of OpenCL.std
//   DOVETAIL_FAST_MATH(kind, f)  its native or half form, float only
//   DOVETAIL_QUESTION(f, g)      a classification of a number: SPIR-V's name, the compiler's name
//
// The headers in sycl/builtins/ use these macros, so they stay defined.
#pragma once

#ifdef __SYCL_DEVICE_ONLY__
#include <sycl/detail/spirv/math.hpp>
#define DOVETAIL_MATH(NAME) ::__spirv_ocl_##NAME
#define DOVETAIL_FAST_MATH(KIND, NAME) ::__spirv_ocl_##KIND##_##NAME
#define DOVETAIL_QUESTION(SPIRV, BUILTIN) ::__spirv_##SPIRV
#else
#include <sycl/detail/host/math.hpp>
#define DOVETAIL_MATH(NAME) ::sycl::detail::host::NAME
#define DOVETAIL_FAST_MATH(KIND, NAME) ::sycl::detail::host::NAME
#define DOVETAIL_QUESTION(SPIRV, BUILTIN) BUILTIN
#endif
