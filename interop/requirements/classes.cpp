// Classes that contain a double: an access to any of their members counts.
#include <sycl/sycl.hpp>

namespace syclexp = sycl::ext::oneapi::experimental;

#define KERNEL extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::single_task_kernel))

struct holds {
  float f;
  double d;
  void set(float x) { f = x; }
  float get() const { return f; }
};
struct outer {
  int i;
  holds h;
};
struct derived : holds {
  int j;
};
struct points {
  double *d;
  int i;
};
struct arrays {
  double a[4];
  int j;
};
struct deep {
  outer o[2];
  int k;
};
union either {
  float f;
  double d;
};
constexpr holds table[2] = {{1, 2}, {3, 4}};

KERNEL void member_other(holds *h) { h->f = 1; }
KERNEL void member_double(holds *h) { h->d = 1; }
KERNEL void member_first_ptr(holds *h, float *p) { *p = 1; }
KERNEL void class_param(holds h, float *p) { *p = h.f; }
KERNEL void class_param_unused(holds h, float *p) { *p = 1; }
KERNEL void class_local(float *p) {
  holds h{*p, 2};
  *p = h.f;
}
KERNEL void nested_other(outer *o) { o->i = 1; }
KERNEL void nested_first(outer *o) { o->h.f = 1; }
KERNEL void derived_other(derived *d) { d->j = 1; }
KERNEL void points_other(points *s) { s->i = 1; }
KERNEL void index_var(holds *h, int *p) { h[*p].f = 1; }
KERNEL void index_one(holds *h, int *p) { h[1].f = 1; }
KERNEL void index_ptr(holds *h, float **p) { *p = &h[*(int *)p].f; }
KERNEL void array_member(arrays *a) { a->j = 4; }
KERNEL void whole(holds *a, holds *b) { *a = *b; }
KERNEL void whole_index(holds *a) { a[0] = a[1]; }
KERNEL void deep_first(deep *d) { d->o[0].i = 3; }
KERNEL void deep_last(deep *d) { d->k = 3; }
KERNEL void deep_var(deep *d, int i) { d->o[i].h.f = 3; }
KERNEL void method_set(holds *h) { h->set(1); }
KERNEL void method_get(holds *h, float *p) { *p = h->get(); }
KERNEL void local_method(float *p) {
  holds h{};
  h.set(*p);
  *p = h.get();
}
KERNEL void union_member(either *e) { e->f = 1; }
KERNEL void union_local(float *p) {
  either e;
  e.f = *p;
  *p = e.f;
}
KERNEL void param_dbl_used(holds h, float *p) { *p = h.d; }
KERNEL void param_arr(arrays a, int *p) { *p = a.j; }
KERNEL void param_arr_var(arrays a, int *p) { *p = a.a[*p] > 0; }
KERNEL void const_class_table(int *p) { *p = table[*p].f; }
