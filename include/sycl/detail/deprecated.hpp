// DOVETAIL_DEPRECATED("use another") marks what SYCL 2020 deprecates. Programs disable the warnings
// with DPC++'s macros.
#pragma once

#if defined(SYCL2020_DISABLE_DEPRECATION_WARNINGS) ||                                              \
    defined(SYCL_DISABLE_DEPRECATION_WARNINGS) || defined(__SYCL_DISABLE_DEPRECATION_WARNINGS)
#define DOVETAIL_DEPRECATED(MESSAGE)
#else
#define DOVETAIL_DEPRECATED(MESSAGE) [[deprecated(MESSAGE)]]
#define DOVETAIL_DEPRECATION_WARNINGS
#endif
