// Calls of what another program defines, and of what none does.
#include <sycl/sycl.hpp>

#include "kernels.hpp"

SYCL_EXTERNAL int scaled(int x);
SYCL_EXTERNAL int scaled_widely(int x);
SYCL_EXTERNAL void asks(int *p);
SYCL_EXTERNAL int nowhere(int x);
SYCL_EXTERNAL inline int in_both(int x) { return x + widened(1); }
SYCL_EXTERNAL int offset(int x) { return x + widened(100); }

TASK void alone(int *p) { p[0] = 1; }
TASK void plain(int *p) { p[0] = scaled(p[1]); }
TASK void wide(int *p) { p[0] = scaled_widely(p[1]); }
TASK void wide_and_small(int *p) { p[0] = scaled_widely(p[1]) + halved<sycl::half>(p[2]); }
TASK void asking(int *p) { asks(p); }
TASK void wide_if_gpu(int *p) {
  exp_::if_device_has<aspect::gpu>([=] { p[0] = scaled_widely(p[1]); });
}
TASK void asking_if_cpu(int *p) {
  exp_::if_device_has<aspect::cpu>([=] { asks(p); }).otherwise([=] { p[0] = scaled(p[0]); });
}
TASK void inline_function(int *p) { p[0] = in_both(p[1]); }
TASK void missing(int *p) { p[0] = nowhere(p[1]); }
TASK void missing_if_gpu(int *p) {
  exp_::if_device_has<aspect::gpu>([=] { p[0] = nowhere(p[1]); });
}
TASK void missing_and_wide_if_cpu(int *p) {
  exp_::if_device_has<aspect::cpu>([=] { p[0] = nowhere(widened(p[1])); });
}
