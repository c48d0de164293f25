// Marks a class that a kernel object cannot simply hold as bytes. Clang alone does not know the
// attribute; the front-end's plugin reports where in a kernel object such members lie.
#pragma once

#ifdef __SYCL_DEVICE_ONLY__
#define DOVETAIL_KERNEL_ARGUMENT(KIND)                                                             \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wunknown-attributes\"")    \
      [[__sycl_detail__::__kernel_argument__(KIND)]] _Pragma("clang diagnostic pop")
#else
#define DOVETAIL_KERNEL_ARGUMENT(KIND)
#endif
