// What the importer calls; it calls the importer's function in turn.
#include <sycl/sycl.hpp>

#include "kernels.hpp"

SYCL_EXTERNAL int offset(int x);
SYCL_EXTERNAL inline int in_both(int x) { return x + widened(1); }
SYCL_EXTERNAL int scaled(int x) { return 3 * x; }
SYCL_EXTERNAL int scaled_widely(int x) { return widened(x) + in_both(x) + offset(x); }
SYCL_EXTERNAL void asks(int *p) {
  p[0] = 2;
  exp_::if_device_has<aspect::gpu>([=] { p[1] = widened(p[2]); }).otherwise([=] {
    p[1] = offset(p[2]);
  });
}
