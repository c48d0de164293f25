// A library with device globals of the same names as the program's.
#include <sycl/sycl.hpp>

#include "shared.hpp"

exp_::device_global<int> of_library{1000};
static exp_::device_global<int> own{2000};

extern "C" int sum_in_library(sycl::queue &q, int add) {
  q.copy(&add, own).wait();
  return on_device(q, [] {
    everywhere += 1;
    of_library += 1;
    return everywhere + of_library + own;
  });
}

// The caller's variable, which is none of the library's.
extern "C" int read_in_library(sycl::queue &q, const exp_::device_global<int> &variable) {
  int value = 0;
  q.copy(variable, &value).wait();
  return value;
}

// For kernels of others.
SYCL_EXTERNAL int next_in_library() { return of_library += 1; }
