// half, which is a marked class, and _Float16, which DPC++ does not count.
#include <sycl/sycl.hpp>

namespace syclexp = sycl::ext::oneapi::experimental;

#define KERNEL extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::single_task_kernel))

struct has_half {
  int i;
  sycl::half h;
};
struct holds_f16 {
  float f;
  _Float16 h;
};

KERNEL void half_param(sycl::half h, float *q) { *q = 1; }
KERNEL void half_ptr(sycl::half *h, float *q) { *q = 1; }
KERNEL void half_add(sycl::half *h) { *h += 1; }
KERNEL void half_unused(float *q) {
  sycl::half h = *q;
  *q = 1;
}
KERNEL void half_copy(sycl::half *h) { h[0] = h[1]; }
KERNEL void half_to_float(sycl::half *h, float *p) { *p = *h; }
KERNEL void half_literal(float *p) { *p = sycl::half(1.5f); }
KERNEL void half_compare(sycl::half *h, float *p) { *p = *h > *p; }
KERNEL void half_sizeof(float *p) { *p = sizeof(sycl::half); }
KERNEL void half_array(float *p) {
  sycl::half h[2] = {1, 2};
  *p = h[1];
}
KERNEL void half_member_other(has_half *h) { h->i = 3; }
KERNEL void half_member(has_half *h) { h->h = 3; }
KERNEL void f16_unused(float *p) {
  _Float16 h = *p;
  *p = 1;
}
KERNEL void f16_used(_Float16 *p) { *p = *p + *p; }
KERNEL void f16_copy(_Float16 *p) { p[0] = p[1]; }
KERNEL void f16_param(_Float16 h, float *p) { *p = h; }
KERNEL void f16_conv(float *p) { *p = (float)(_Float16)*p; }
KERNEL void f16_member(holds_f16 *h) { h->f = 1; }
