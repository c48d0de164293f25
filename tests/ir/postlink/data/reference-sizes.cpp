// The source that Intel's runtime compiled into reference-sizes.syclbin (object state).
#include <sycl/sycl.hpp>
namespace syclext = sycl::ext::oneapi;
namespace syclexp = sycl::ext::oneapi::experimental;
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<3>))
    [[sycl::reqd_work_group_size(2, 3, 5)]]
    void w3(float *p) {
  p[0] = 1;
}
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))
    [[sycl::reqd_work_group_size(8)]]
    void w1(float *p) {
  p[0] = 2;
}
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))
    [[sycl::reqd_sub_group_size(16)]]
    void s1(float *p) {
  p[0] = 3;
}
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>)) void dp(double *p,
                                                                                    float *q) {
  q[0] = 3;
}
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))
    [[sycl::device_has(sycl::aspect::fp64, sycl::aspect::fp16)]]
    void decl(float *q) {
  q[0] = 3;
}
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>)) void opt(float *q) {
  double d = q[0];
  q[0] = (float)d;
}
