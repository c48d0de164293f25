// Other accesses to members of a class that contains a double.
#include <sycl/sycl.hpp>

namespace syclexp = sycl::ext::oneapi::experimental;

#define KERNEL extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::single_task_kernel))

struct mixed {
  union {
    double d;
    float f;
  };
  int i;
  struct {
    int j;
    double e;
  };
};
namespace {
struct hidden_class {
  float f;
  double d;
};
} // namespace
template <class T> struct generic {
  T t;
  int i;
  double d;
};
typedef struct {
  float f;
  double d;
} named_class;

KERNEL void anon_f(mixed *s) { s->f = 1; }
KERNEL void anon_i(mixed *s) { s->i = 1; }
KERNEL void anon_j(mixed *s) { s->j = 1; }
KERNEL void hidden(void *h) { ((hidden_class *)h)->f = 1; }
KERNEL void gen(generic<int> *g) { g->i = 1; }
KERNEL void named(named_class *g) { g->f = 1; }
KERNEL void local(void *g) {
  struct L {
    float f;
    double d;
  };
  ((L *)g)->f = 1;
}
KERNEL void local_unnamed(void *g) {
  struct {
    float f;
    double d;
  } *x = (decltype(x))g;
  x->f = 1;
}
KERNEL void local_lambda(float *p) {
  auto l = [](auto *q) { q->f = 1; };
  l((named_class *)p);
}
KERNEL void bits(void *p) {
  struct B {
    int a : 3;
    int b : 5;
    double d;
  };
  ((B *)p)->b = 1;
}
KERNEL void atomicf(void *p) {
  struct B {
    float a;
    double d;
  };
  sycl::atomic_ref<float, sycl::memory_order::relaxed, sycl::memory_scope::device> r(((B *)p)->a);
  r += 1;
}
KERNEL void ptr_to_member(void *p) {
  struct B {
    float a;
    double d;
  };
  float *q = &((B *)p)->a;
  q[0] = 1;
}
KERNEL void vol(void *p) {
  struct B {
    float a;
    double d;
  };
  ((volatile B *)p)->a = 1;
}
KERNEL void looped(named_class *n, int c) {
  for (int i = 0; i < c; ++i)
    n[i].f += 1;
}
KERNEL void two(named_class *n, named_class *m) { n->f = m->f; }
KERNEL void inner_arr(generic<float[8]> *g, int i) { g->t[i] = 1; }
KERNEL void copy_loop(named_class *n, named_class *m, int c) {
  for (int i = 0; i < c; ++i)
    n[i] = m[i];
}
