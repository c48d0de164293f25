// std::hash for half and bfloat16. Not in their own headers: kernels do not need the standard
// header.
#pragma once

#include <cstddef>
#include <functional>
#include <sycl/ext/oneapi/bfloat16.hpp>
#include <sycl/half.hpp>

template <> struct std::hash<sycl::half> {
  std::size_t operator()(const sycl::half &number) const {
    return std::hash<float>()(static_cast<float>(number));
  }
};

template <> struct std::hash<sycl::ext::oneapi::bfloat16> {
  std::size_t operator()(const sycl::ext::oneapi::bfloat16 &number) const {
    return std::hash<float>()(static_cast<float>(number));
  }
};
