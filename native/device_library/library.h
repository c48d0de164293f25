// The device library: functions of the C library, and of clang's support library, that kernels
// call although they are not SYCL's, such as `sinf`, `__mulsc3` and `strlen`.
//
// Each family of device code has a copy, compiled with the options of kernels, so that parameters
// are passed alike. The pass `library-functions` links the functions that a source calls. They
// must not use `double` where their callers do not: devices without fp64 have them too.
#pragma once

#include <sycl/builtins.hpp>

#define DOVETAIL_LIBRARY extern "C" [[clang::sycl_external]]
