// The other source: it makes the same kernels, and defines a device function.
#include "shared.hpp"
#include <cstdio>
#include <sycl/sycl.hpp>
SYCL_EXTERNAL int triple(int x) { return 3 * x; }
int other(sycl::queue &q, int *p) {
  std::printf("%d %d\n", p[0], p[5]);
  setv<int>(q, p, 3);
  addone(q, p);
  return p[0];
}
