// Marks a class whose objects cannot be passed to kernels as bytes. The attribute belongs to the
// front-end's plugin, which reports the offsets of such members in kernel objects.
#pragma once

#ifdef __SYCL_DEVICE_ONLY__
#define DOVETAIL_KERNEL_ARGUMENT(KIND)                                                             \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wunknown-attributes\"")    \
      [[__sycl_detail__::__kernel_argument__(KIND)]] _Pragma("clang diagnostic pop")
#else
#define DOVETAIL_KERNEL_ARGUMENT(KIND)
#endif
