// Marked classes: every object counts, and every address within one.
#include <sycl/sycl.hpp>

namespace syclexp = sycl::ext::oneapi::experimental;
using sycl::aspect;

#define KERNEL extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::single_task_kernel))
#define MARK(...) [[__sycl_detail__::__uses_aspects__(__VA_ARGS__)]]

struct MARK(aspect::atomic64) marked_class {
  int i;
  int f() const { return i; }
  int g() const { return 3; }
};
struct holds_marked {
  int j;
  marked_class c;
};
struct derives_marked : marked_class {
  int j;
};
struct points_marked {
  marked_class *c;
  int j;
};
template <class T> struct wrap {
  T t;
};
template <class T> struct wrap_ptr {
  T *t;
  int j;
};
inline void by_ref(const marked_class &c) {}
inline void by_value(marked_class c) {}
inline marked_class returns(int i) { return {i}; }
constexpr marked_class global{3};
const marked_class gtab[2] = {{3}, {4}};
constexpr bool never = false;

KERNEL void marked_class_local(float *p) {
  marked_class c{3};
  *p = c.i;
}
KERNEL void marked_class_ptr(marked_class *c) { c->i = 3; }
KERNEL void marked_class_ptr_unused(marked_class *c, float *p) { *p = 3; }
KERNEL void marked_class_param(marked_class c, float *p) { *p = c.i; }
KERNEL void holds_marked_ptr(holds_marked *c) { c->j = 3; }
KERNEL void holds_marked_local(float *p) {
  holds_marked c{1, {2}};
  *p = c.j;
}
KERNEL void derives_marked_local(float *p) {
  derives_marked c;
  c.j = 2;
  *p = c.j;
}
KERNEL void whole_copy(marked_class *a, marked_class *b) { *a = *b; }
KERNEL void whole_copy_holds(holds_marked *a, holds_marked *b) { *a = *b; }
KERNEL void index_copy(marked_class *a) { a[0] = a[1]; }
KERNEL void ptr_arith(marked_class *a, marked_class **b) { *b = a + 1; }
KERNEL void ptr_deref_first(marked_class *a, int *p) { *p = a->i; }
KERNEL void ptr_method(marked_class *a, int *p) { *p = a->f(); }
KERNEL void ptr_method_g(marked_class *a, int *p) { *p = a->g(); }
KERNEL void passes_ref(marked_class *c, int *p) {
  by_ref(*c);
  *p = 1;
}
KERNEL void passes_value(marked_class *c, int *p) {
  by_value(*c);
  *p = 1;
}
KERNEL void call_returns(int *p) {
  returns(3);
  *p = 1;
}
KERNEL void call_returns_used(int *p) { *p = returns(3).i; }
KERNEL void temporary(int *p) { *p = marked_class{3}.i; }
KERNEL void array_of(int *p) {
  marked_class a[3] = {{1}, {2}, {3}};
  *p = a[*p].i;
}
KERNEL void array_of_ptr(int *p) {
  marked_class *a[3] = {};
  *p = a[*p] != nullptr;
}
KERNEL void local_ptr(int *p) {
  marked_class *a = nullptr;
  *p = a == nullptr;
}
KERNEL void local_ref(marked_class *c, int *p) {
  marked_class &a = *c;
  *p = 1;
}
KERNEL void points_local(int *p) {
  points_marked a{nullptr, 2};
  *p = a.j;
}
KERNEL void points_ptr(points_marked *a) { a->j = 3; }
KERNEL void points_deref(points_marked *a) { a->c->i = 3; }
KERNEL void derives_ptr(derives_marked *a) { a->j = 3; }
KERNEL void derives_base(derives_marked *a) { a->i = 3; }
KERNEL void cast_to(int *p) { *p = ((marked_class *)p)->i; }
KERNEL void cast_only(int *p, marked_class **q) { *q = (marked_class *)p; }
KERNEL void global_read(int *p) { *p = global.i; }
KERNEL void global_tab(int *p) { *p = gtab[*p].i; }
KERNEL void size_of(int *p) { *p = sizeof(marked_class); }
KERNEL void dead_local(int *p) {
  if (false) {
    marked_class c{*p};
    *p = c.i;
  }
  *p = 1;
}
KERNEL void dead_and(int *p) {
  if (*p && false) {
    marked_class c{*p};
    *p = c.i;
  }
  *p = 1;
}
KERNEL void dead_while(int *p) {
  while (false) {
    marked_class c{*p};
    *p = c.i;
  }
  *p = 1;
}
KERNEL void dead_cond(int *p) { *p = true ? 1 : marked_class{3}.i; }
KERNEL void dead_const(int *p) {
  if (never) {
    marked_class c{*p};
    *p = c.i;
  }
  *p = 1;
}
KERNEL void dead_var(int *p) {
  bool b = false;
  if (b) {
    marked_class c{*p};
    *p = c.i;
  }
  *p = 1;
}
KERNEL void after_return(int *p) {
  *p = 1;
  return;
  marked_class c{*p};
  *p = c.i;
}
KERNEL void unused_local_obj(int *p) {
  marked_class c;
  *p = 1;
}
KERNEL void unused_array(int *p) {
  marked_class c[4];
  *p = 1;
}
KERNEL void lambda_capt(int *p) {
  marked_class c{4};
  auto f = [=] { return c.i; };
  *p = f();
}
KERNEL void wrap_local(int *p) {
  wrap<marked_class> w{{1}};
  *p = w.t.i;
}
KERNEL void wrap_ptr_local(int *p) {
  wrap_ptr<marked_class> w{nullptr, 3};
  *p = w.j;
}
KERNEL void wrap_param(wrap<marked_class> w, int *p) { *p = 3; }
KERNEL void wrap_ptr_param(wrap_ptr<marked_class> w, int *p) { *p = 3; }
