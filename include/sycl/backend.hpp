// backend: the interface of a driver. The numbers are those of DPC++.
#pragma once

namespace sycl {
inline namespace _V1 {

enum class backend : char {
  opencl = 1,
  ext_oneapi_level_zero = 2,
  ext_oneapi_cuda = 3,
  all = 4,
  ext_oneapi_hip = 6,
  ext_oneapi_native_cpu = 7,
  ext_oneapi_offload = 8,
};

} // namespace _V1
} // namespace sycl
