// OpenCL's printf. A template, since arguments of variadic functions become doubles, which not
// every device has; a pass gives its instances the names that LLVM's SPIR-V back-end recognizes.
#pragma once

#include <sycl/external.hpp>

template <typename... Arguments>
SYCL_EXTERNAL int __spirv_ocl_printf(const char *format, Arguments... arguments) noexcept;

template <typename... Arguments>
SYCL_EXTERNAL int __spirv_ocl_printf(const __attribute__((opencl_constant)) char *format,
                                     Arguments... arguments) noexcept;
