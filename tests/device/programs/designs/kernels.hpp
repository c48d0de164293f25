// What the programs of test_both_designs.py share.
#pragma once
#include <sycl/sycl.hpp>
namespace ext = sycl::ext::oneapi;
namespace exp_ = sycl::ext::oneapi::experimental;
using exp_::architecture;
using sycl::aspect;
#define TASK SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::single_task_kernel))
#define GROUPS SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::nd_range_kernel<1>))

inline int widened(int x) {
  double wide = x;
  return static_cast<int>(wide * 2.5);
}
template <typename T> int halved(int x) { return static_cast<int>(T(x) / T(2)); }
inline long long counted(int *p) {
  sycl::atomic_ref<long long, sycl::memory_order::relaxed, sycl::memory_scope::device> sum(
      *reinterpret_cast<long long *>(p));
  return sum += 5;
}
