// The version macros of DPC++, by which programs choose between its interfaces. The numbers are the
// first ones of the major version whose interface these headers have.
#pragma once

#define __LIBSYCL_MAJOR_VERSION 9
#define __LIBSYCL_MINOR_VERSION 0
#define __LIBSYCL_PATCH_VERSION 0
#define __LIBSYCL_TIMESTAMP 20260101

// A date despite its name, which DPC++ has deprecated.
// clang-format off: the pragma takes one string.
#define __SYCL_COMPILER_VERSION \
  _Pragma("GCC warning \"__SYCL_COMPILER_VERSION is deprecated, use __LIBSYCL_TIMESTAMP\"") \
  20260101
// clang-format on
