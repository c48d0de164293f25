// backend: the interface of a driver. The numbers and texts are those of DPC++.
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

namespace detail {

constexpr const char *backend_text(backend which) {
  switch (which) {
  case backend::opencl:
    return "opencl";
  case backend::ext_oneapi_level_zero:
    return "ext_oneapi_level_zero";
  case backend::ext_oneapi_cuda:
    return "ext_oneapi_cuda";
  case backend::all:
    return "all";
  case backend::ext_oneapi_hip:
    return "ext_oneapi_hip";
  case backend::ext_oneapi_native_cpu:
    return "ext_oneapi_native_cpu";
  case backend::ext_oneapi_offload:
    return "ext_oneapi_offload";
  }
  return "";
}

} // namespace detail

// A template, so that no header of streams is needed.
template <typename Stream>
auto operator<<(Stream &out, backend which) -> decltype(out << detail::backend_text(which)) {
  return out << detail::backend_text(which);
}

} // namespace _V1
} // namespace sycl
