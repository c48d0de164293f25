// Uses that only one of DPC++ and Dovetail counts, due to the order of passes.
#include <sycl/sycl.hpp>

namespace syclexp = sycl::ext::oneapi::experimental;
using sycl::aspect;

#define KERNEL extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::single_task_kernel))
#define MARK(...) [[__sycl_detail__::__uses_aspects__(__VA_ARGS__)]]

struct holds {
  float f;
  double d;
};
struct array_first {
  float f[4];
  double d;
};
struct class_first {
  holds h;
  int i;
};
struct MARK(aspect::fp64) marked_fp64 {
  int i;
};
MARK(aspect::fp64) inline int inlined_marked(int i) { return i; }
MARK(aspect::fp64) [[gnu::noinline]] int called_marked(int i) { return i + 1; }
[[gnu::noinline]] int unused_argument(int i, double) { return i; }
[[gnu::noinline]] int used_argument(int i, double d) { return i + (int)d; }
[[gnu::noinline]] double known_result(int) { return 1.0; }

KERNEL void edge_marked_fp64(int *p) {
  marked_fp64 m{*p};
  *p = m.i;
}
KERNEL void edge_marked_fp64_ptr(marked_fp64 *p) { p->i = 2; }
KERNEL void edge_inlined_marked(int *p) { *p = inlined_marked(*p); }
KERNEL void edge_called_marked(int *p) { *p = called_marked(*p); }
KERNEL void edge_unused_argument(int *p) { *p = unused_argument(*p, 1.0); }
KERNEL void edge_used_argument(int *p, float f) { *p = used_argument(*p, f); }
KERNEL void edge_known_result(int *p) { *p = known_result(*p); }
KERNEL void edge_next(double *d, double **o) { *o = d + 1; }
KERNEL void edge_next_row(double (*d)[4], double **o) { *o = d[2]; }
KERNEL void edge_next_as_float(double *d) { *(float *)(d + 2) = 1; }
KERNEL void edge_next_as_long(double *d) { *(long *)(d + 2) = 1; }
KERNEL void edge_nth(double *d, double **o, int n) { *o = d + n; }
KERNEL void edge_nth_as_float(double *d, int n) { *(float *)(d + n) = 1; }
KERNEL void edge_nth_as_long(double *d, int n) { *(long *)(d + n) = 1; }
KERNEL void edge_first_of_array(array_first *s) { s->f[0] = 1; }
KERNEL void edge_second_of_array(array_first *s) { s->f[1] = 1; }
KERNEL void edge_first_of_first(class_first *s) { s->h.f = 1; }
KERNEL void edge_next_object(holds *h, holds **o) { *o = h + 1; }
