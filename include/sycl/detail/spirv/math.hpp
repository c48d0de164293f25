// Device functions of the OpenCL.std instruction set. LLVM's SPIR-V back-end recognizes their
// mangled names and translates calls to OpExtInst; code generation defines them for other targets.
#pragma once

#include <sycl/external.hpp>

// Results depend only on the arguments, so calls may be merged and moved.
#define DOVETAIL_DECLARE(RESULT, NAME, ...)                                                        \
  SYCL_EXTERNAL __attribute__((const)) RESULT __spirv_##NAME(__VA_ARGS__) noexcept;

#define DOVETAIL_UNARY(NAME)                                                                       \
  DOVETAIL_DECLARE(float, ocl_##NAME, float)                                                       \
  DOVETAIL_DECLARE(double, ocl_##NAME, double)                                                     \
  DOVETAIL_DECLARE(_Float16, ocl_##NAME, _Float16)
#define DOVETAIL_BINARY(NAME)                                                                      \
  DOVETAIL_DECLARE(float, ocl_##NAME, float, float)                                                \
  DOVETAIL_DECLARE(double, ocl_##NAME, double, double)                                             \
  DOVETAIL_DECLARE(_Float16, ocl_##NAME, _Float16, _Float16)
#define DOVETAIL_TERNARY(NAME)                                                                     \
  DOVETAIL_DECLARE(float, ocl_##NAME, float, float, float)                                         \
  DOVETAIL_DECLARE(double, ocl_##NAME, double, double, double)                                     \
  DOVETAIL_DECLARE(_Float16, ocl_##NAME, _Float16, _Float16, _Float16)
#define DOVETAIL_INTEGER(NAME)                                                                     \
  DOVETAIL_DECLARE(float, ocl_##NAME, float, int)                                                  \
  DOVETAIL_DECLARE(double, ocl_##NAME, double, int)                                                \
  DOVETAIL_DECLARE(_Float16, ocl_##NAME, _Float16, int)
#define DOVETAIL_UNARY_CL(NAME) DOVETAIL_UNARY(NAME)
#define DOVETAIL_BINARY_CL(NAME) DOVETAIL_BINARY(NAME)
#define DOVETAIL_TERNARY_CL(NAME) DOVETAIL_TERNARY(NAME)
#define DOVETAIL_INTEGER_CL(NAME) DOVETAIL_INTEGER(NAME)

// What SYCL calls min, max and clamp.
DOVETAIL_BINARY(fmin_common)
DOVETAIL_BINARY(fmax_common)
DOVETAIL_TERNARY(fclamp)

#include <sycl/detail/math_functions.inc>

// Less precise forms, for float only.
#define DOVETAIL_UNARY(NAME)                                                                       \
  DOVETAIL_DECLARE(float, ocl_native_##NAME, float)                                                \
  DOVETAIL_DECLARE(float, ocl_half_##NAME, float)
#define DOVETAIL_BINARY(NAME)                                                                      \
  DOVETAIL_DECLARE(float, ocl_native_##NAME, float, float)                                         \
  DOVETAIL_DECLARE(float, ocl_half_##NAME, float, float)
#include <sycl/detail/fast_math_functions.inc>

// Classification of numbers uses core instructions of SPIR-V.
#define DOVETAIL_QUESTION(NAME)                                                                    \
  DOVETAIL_DECLARE(bool, NAME, float)                                                              \
  DOVETAIL_DECLARE(bool, NAME, double)                                                             \
  DOVETAIL_DECLARE(bool, NAME, _Float16)

DOVETAIL_QUESTION(IsNan)
DOVETAIL_QUESTION(IsInf)
DOVETAIL_QUESTION(IsFinite)
DOVETAIL_QUESTION(IsNormal)
DOVETAIL_QUESTION(SignBitSet)
#undef DOVETAIL_QUESTION
#undef DOVETAIL_DECLARE
