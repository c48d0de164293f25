// SYCL_EXTERNAL: marks a function that device code of another translation unit calls or defines.
#pragma once

#ifdef __SYCL_DEVICE_ONLY__
// Clang emits functions that no kernel calls only if they have this attribute.
#define SYCL_EXTERNAL [[clang::sycl_external]]
#else
// The host compiler emits every function with external linkage anyway.
#define SYCL_EXTERNAL
#endif
