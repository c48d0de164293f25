// atomic_ref, which is marked for eight bytes, and clang's atomic operations.
#include <sycl/sycl.hpp>

namespace syclexp = sycl::ext::oneapi::experimental;

#define KERNEL extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::single_task_kernel))

template <class T>
using ref = sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::device>;

KERNEL void atomic_defined(long *p, float *q) {
  ref<long> r(*p);
  *q = 1;
}
KERNEL void atomic_add(long *p) {
  ref<long> r(*p);
  r += 1;
}
KERNEL void atomic32(int *p) {
  ref<int> r(*p);
  r += 1;
}
KERNEL void atomic_double(double *p) {
  ref<double> r(*p);
  r += 1;
}
KERNEL void atomic_float(float *p) {
  ref<float> r(*p);
  r += 1;
}
KERNEL void atomic_ptr(int **p) {
  ref<int *> r(*p);
  r.store(nullptr);
}
KERNEL void atomic_dead(long *p, float *q) {
  if (false) {
    ref<long> r(*p);
    r += 1;
  }
  *q = 1;
}
KERNEL void atomic_of_clang(long *p) { __atomic_fetch_add(p, 1, __ATOMIC_RELAXED); }
