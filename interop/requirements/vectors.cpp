// Vectors and arrays of numbers.
#include <sycl/sycl.hpp>

namespace syclexp = sycl::ext::oneapi::experimental;

#define KERNEL extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::single_task_kernel))

KERNEL void vec_double(float *p) {
  sycl::vec<double, 4> v{1};
  *p = 1;
}
KERNEL void vec_double_ptr(sycl::vec<double, 4> *v, float *p) { *p = 1; }
KERNEL void vec_double_ptr_read(sycl::vec<double, 4> *v, float *p) { *p = (*v)[0]; }
KERNEL void vec_half(sycl::vec<sycl::half, 4> *v) { *v += *v; }
KERNEL void vec_half_copy(sycl::vec<sycl::half, 4> *v) { v[0] = v[1]; }
KERNEL void marray_double_copy(sycl::marray<double, 4> *v) { v[0] = v[1]; }
KERNEL void half_vec_param(sycl::vec<sycl::half, 4> v, float *p) { *p = 1; }
KERNEL void double_vec_param(sycl::vec<double, 4> v, float *p) { *p = 1; }
KERNEL void half_marray(sycl::marray<sycl::half, 3> *m) { *m += *m; }
