// SYCL_EXTERNAL: marks a function that device code of another translation unit calls or defines.
#pragma once

#ifdef __SYCL_DEVICE_ONLY__
// Clang emits functions that no kernel calls only if they have this attribute. The plugin's form of
// it may be anywhere among the specifiers and before `extern "C"`, clang's own only at the
// beginning of the declaration.
#if __has_attribute(dovetail_external)
#define SYCL_EXTERNAL __attribute__((dovetail_external))
#else
#define SYCL_EXTERNAL [[clang::sycl_external]]
#endif
#else
// The host compiler emits every function with external linkage anyway.
#define SYCL_EXTERNAL
#endif
