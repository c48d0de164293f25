// What several sources, a program and a library, see of device globals.
#pragma once

#include <sycl/sycl.hpp>

namespace exp_ = sycl::ext::oneapi::experimental;

inline exp_::device_global<int> everywhere{100};

template <int Number> exp_::device_global<int> numbered{Number};

template <typename Type> struct holder {
  static inline exp_::device_global<Type> member{Type(2)};
};

extern exp_::device_global<int> of_main;

// What a kernel reads; each call's kernel is one of its own.
template <typename Function> int on_device(sycl::queue &q, Function function) {
  int *result = sycl::malloc_shared<int>(1, q);
  q.single_task([=] { *result = function(); }).wait();
  int read = *result;
  sycl::free(result, q);
  return read;
}
