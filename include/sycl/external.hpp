// SYCL_EXTERNAL: marks a function that device code of another translation unit calls or defines.
#pragma once

#ifdef __SYCL_DEVICE_ONLY__
// Clang emits a function that no kernel reaches only if it carries this attribute.
#define SYCL_EXTERNAL [[clang::sycl_external]]
#else
// The host compiler emits every function with external linkage anyway.
#define SYCL_EXTERNAL
#endif
