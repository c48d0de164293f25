// What the other source calls; with kernels of its own.
#include <sycl/sycl.hpp>

#include "kernels.hpp"

SYCL_EXTERNAL inline int in_both(int x) { return x + widened(1); }
SYCL_EXTERNAL int scaled(int x) { return 3 * x; }
SYCL_EXTERNAL int scaled_widely(int x) { return widened(scaled(x)) + in_both(x); }
SYCL_EXTERNAL [[sycl::device_has(aspect::gpu)]] int scaled_on_gpus(int x) { return 5 * x; }
SYCL_EXTERNAL void asks(int *p) {
  exp_::if_architecture_is<architecture::intel_gpu_pvc>([=] { p[0] = 71; }).otherwise([=] {
    p[0] = halved<double>(p[1]);
  });
}

TASK void other_plain(int *p) { p[0] = scaled(p[4]); }
TASK void other_wide(int *p) { p[0] = scaled_widely(p[4]) + in_both(p[5]); }
TASK void other_asking(int *p) { asks(p + 4); }
