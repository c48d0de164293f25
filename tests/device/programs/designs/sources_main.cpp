// Calls of what another source defines.
#include <sycl/sycl.hpp>

#include "kernels.hpp"

SYCL_EXTERNAL int scaled(int x);
SYCL_EXTERNAL int scaled_widely(int x);
SYCL_EXTERNAL [[sycl::device_has(aspect::gpu)]] int scaled_on_gpus(int x);
SYCL_EXTERNAL void asks(int *p);
SYCL_EXTERNAL inline int in_both(int x) { return x + widened(1); }

TASK void plain(int *p) { p[0] = scaled(p[1]); }
TASK void wide(int *p) { p[0] = scaled_widely(p[1]); }
TASK void on_gpus(int *p) { p[0] = scaled_on_gpus(p[1]); }
TASK void asking(int *p) { asks(p); }
TASK void under_condition(int *p) {
  exp_::if_device_has<aspect::gpu>([=] { p[0] = scaled_widely(p[1]); }).otherwise([=] {
    p[0] = in_both(p[2]);
  });
}
TASK void asking_under_condition(int *p) {
  exp_::if_device_has<aspect::cpu>([=] { asks(p); });
}
TASK void inline_function(int *p) { p[0] = in_both(p[1]); }
