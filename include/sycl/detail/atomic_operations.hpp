// The operations on atomic memory: the one place that chooses between device and host.
#pragma once

#ifdef __SYCL_DEVICE_ONLY__
#include <sycl/detail/atomic_device.hpp>
#else
#include <sycl/detail/atomic_host.hpp>
#endif
