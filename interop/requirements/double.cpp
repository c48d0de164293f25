// Uses of double: those that remain after optimisation count.
#include <sycl/sycl.hpp>

namespace syclexp = sycl::ext::oneapi::experimental;

#define KERNEL extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::single_task_kernel))

KERNEL void plain(float *p) { *p = 1; }
KERNEL void unused_local(float *p) {
  double d = *p;
  *p = 1;
}
KERNEL void narrowed(float *p) { *p = *p * 2.0; }
KERNEL void really(float *p) { *p = *p * 2.1; }
KERNEL void ptr_param(double *p, float *q) { *q = 1; }
KERNEL void ptr_stored(double *p) { *p = 1; }
KERNEL void val_param(double d, float *q) { *q = 1; }
KERNEL void double_copy(double *h) { h[0] = h[1]; }
KERNEL void size_only(float *p) { *p = sizeof(double); }
KERNEL void cast_ptr(float *p) { *(double *)p = 1; }
KERNEL void read_long(long *p, float *q) { *q = *(double *)p > 0; }
KERNEL void dead_double(float *p) {
  if (false)
    *p = *p * 2.1;
  else
    *p = 1;
}
KERNEL void int_math(int *p) {
  double d = *p;
  *p = (int)(d + 1.0);
}
KERNEL void exact(float *p) { *p = (float)((double)p[0] * (double)p[1]); }
KERNEL void sqrt_f(float *p) { *p = sycl::sqrt(*p); }
KERNEL void sqrt_d(double *p) { *p = sycl::sqrt(*p); }
KERNEL void sqrt_narrow(float *p) { *p = sycl::sqrt((double)*p); }
KERNEL void compare(float *p) { *p = *p > 0.5; }
KERNEL void compare_inexact(float *p) { *p = *p > 0.1; }
KERNEL void cond_double(float *p, int c) { *p = c ? 2.1 : 3; }
KERNEL void lambda_double(float *p) {
  double d = *p;
  auto f = [=] { return d * 2; };
  *p = f();
}
KERNEL void dbl_to_int_ptr(double *d, long *p) { *p = *(long *)d; }
KERNEL void double_swap(double *d) {
  double t = d[0];
  d[0] = d[1];
  d[1] = t;
}
KERNEL void double_zero(double *d) { *d = 0; }
KERNEL void double_loop(double *d, int n) {
  for (int i = 0; i < n; ++i)
    d[i] = 0;
}
KERNEL void double_copy_loop(double *d, const double *s, int n) {
  for (int i = 0; i < n; ++i)
    d[i] = s[i];
}
KERNEL void local_arr(int *p) {
  double a[4] = {1, 2, 3, 4};
  *p = a[*p] > 2;
}
KERNEL void local_arr_const(int *p) {
  double a[4] = {1, 2, 3, 4};
  *p = a[2] > 2;
}
KERNEL void long_add(long *p) { *p += 1; }
inline double ret_double(float *p) { return *p; }

KERNEL void call_ret(float *p) {
  ret_double(p);
  *p = 1;
}
KERNEL void call_ret2(float *p) { *p = ret_double(p); }
__attribute__((noinline)) void takes_double(double d, float *p) { *p = 1; }

KERNEL void calls_takes(float *p) { takes_double(*p, p); }
constexpr double table[4] = {1, 2, 3, 4};

KERNEL void const_table(int *p) { *p = table[*p] > 2; }
KERNEL void const_table_known(int *p) { *p = table[2] > 2; }
template <class T> T sum(const T *p, int n) {
  T s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i];
  return s;
}

KERNEL void sum_double(double *d, float *p) { *p = sum(d, 3); }
KERNEL void sum_float(float *p) { *p = sum(p, 3); }
