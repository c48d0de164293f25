// Marked functions, and declarations of functions.
#include <sycl/sycl.hpp>

namespace syclexp = sycl::ext::oneapi::experimental;
using sycl::aspect;

#define KERNEL extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::single_task_kernel))
#define MARK(...) [[__sycl_detail__::__uses_aspects__(__VA_ARGS__)]]

MARK(aspect::fp16) inline void marked_empty() {}
inline void between() { marked_empty(); }
[[sycl::device_has(aspect::atomic64)]] inline void declares(float *p) { *p = 2; }
inline void b2(float *p) { declares(p); }
struct method_marked {
  int i;
  MARK(aspect::fp16) int m() const { return i; }
  MARK(aspect::fp16) method_marked(int i) : i(i) {}
  method_marked() = default;
  MARK(aspect::fp16) ~method_marked() {}
};
struct dtor_marked {
  int i;
  MARK(aspect::fp16) ~dtor_marked() {}
};
template <class T> MARK(aspect::fp16) inline T tmpl(T t) { return t; }
MARK(aspect::fp16) constexpr int cexpr(int i) { return i; }
[[sycl::device_has(aspect::fp16)]] MARK(aspect::atomic64) inline void both() {}

KERNEL void calls_marked(float *p) {
  marked_empty();
  *p = 1;
}
KERNEL void calls_marked_dead(float *p) {
  if (false)
    marked_empty();
  *p = 1;
}
KERNEL void calls_marked_constexpr(float *p) {
  if constexpr (false)
    marked_empty();
  *p = 1;
}
KERNEL void calls_between(float *p) {
  between();
  *p = 1;
}
KERNEL void calls_declares(float *p) { declares(p); }
KERNEL void calls_declares_dead(float *p) {
  if (false)
    declares(p);
  *p = 1;
}
KERNEL void calls_declares_cond(float *p) {
  if (*p > 3)
    declares(p);
}
KERNEL void calls_b2(float *p) { b2(p); }
KERNEL [[sycl::device_has(aspect::fp64)]] void declares_self(float *p) { *p = 1; }
KERNEL void calls_method(method_marked *m, int *p) { *p = m->m(); }
KERNEL void calls_ctor(int *p) {
  method_marked m(3);
  *p = m.i;
}
KERNEL void calls_dtor(int *p) {
  dtor_marked m{3};
  *p = m.i;
}
KERNEL void calls_tmpl(int *p) { *p = tmpl(3); }
KERNEL void calls_constexpr(int *p) {
  constexpr int k = cexpr(3);
  *p = k;
}
KERNEL void calls_constexpr_rt(int *p) { *p = cexpr(*p); }
KERNEL void calls_sizeof(int *p) { *p = sizeof(cexpr(3)); }
KERNEL MARK(aspect::fp16) void marked_kernel(int *p) { *p = 1; }
KERNEL void calls_both(int *p) {
  both();
  *p = 1;
}
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::single_task_kernel))
    SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(
        (syclexp::device_has<aspect::fp64>)) void declares_by_property(float *p) {
  *p = 1;
}
