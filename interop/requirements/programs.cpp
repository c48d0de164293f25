// Typical kernels of programs.
#include <sycl/sycl.hpp>

namespace syclexp = sycl::ext::oneapi::experimental;

#define KERNEL extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::single_task_kernel))

struct particle {
  float pos[3];
  float vel[3];
  double mass;
  int id;
};
struct grid {
  int nx, ny;
  double *cells;
  float *weights;
};
struct params {
  double dt;
  float scale;
  int steps;
};
struct complexd {
  double re, im;
  complexd operator*(complexd o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
};
template <class T, int N> struct matrix {
  T m[N][N];
  T &at(int i, int j) { return m[i][j]; }
  const T &at(int i, int j) const { return m[i][j]; }
};
KERNEL void move(particle *p, int n, float dt) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      p[i].pos[k] += dt * p[i].vel[k];
}
KERNEL void ids(const particle *p, int *out, int n) {
  for (int i = 0; i < n; ++i)
    out[i] = p[i].id;
}
KERNEL void pick(particle *p, int i, int j) {
  auto t = p[i];
  p[i] = p[j];
  p[j] = t;
}
KERNEL void count(grid *g, int *out) { *out = g->nx * g->ny; }
KERNEL void weights(grid *g) { g->weights[0] = 2; }
KERNEL void cells(grid *g) { g->cells[0] = 2; }
KERNEL void cell_addr(grid *g, double **p) { *p = g->cells + g->nx; }
KERNEL void by_params(params s, float *p) {
  for (int i = 0; i < s.steps; ++i)
    *p *= s.scale;
}
KERNEL void by_params_dt(params s, float *p) { *p += (float)s.dt; }
KERNEL void params_ptr(const params *s, float *p) { *p *= s->scale; }
KERNEL void cmul(complexd *a, const complexd *b) { *a = *a * *b; }
KERNEL void ccopy(complexd *a, const complexd *b, int i) { a[i] = b[i]; }
KERNEL void matf(matrix<float, 3> *m) { m->at(1, 2) = m->at(2, 1); }
KERNEL void matd(matrix<double, 3> *m) { m->at(1, 2) = m->at(2, 1); }
KERNEL void matd_local(float *p) {
  matrix<double, 2> m{};
  m.at(0, 0) = *p;
  m.at(1, 1) = 2;
  *p = m.at(0, 0);
}
KERNEL void dot_promoted(const float *a, const float *b, float *o, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i] * b[i];
  *o = s;
}
KERNEL void literal_add(float *p) { *p = *p + 1.0; }
KERNEL void literal_mul_add(float *p) { *p = *p * 2.0 + 1.0; }
KERNEL void div_pow2(float *p) { *p = *p / 4.0; }
KERNEL void ternary(float *p) { *p = *p > 0.0 ? 1.0 : -1.0; }
KERNEL void int_div(int *p) { *p = *p / 2.0; }
KERNEL void int_half(int *p) { *p = *p * 0.5; }
KERNEL void floor_d(float *p) { *p = sycl::floor((double)*p); }
KERNEL void round_trip(float *p) {
  double d = *p;
  float f = d;
  *p = f;
}
KERNEL void max_d(float *p) { *p = sycl::fmax((double)*p, 0.0); }
KERNEL void abs_d(float *p) { *p = sycl::fabs((double)*p); }
KERNEL void sin_f(float *p) { *p = sycl::sin(*p); }
KERNEL void vec_f(sycl::vec<float, 4> *v) { *v = *v * 2.0f; }
KERNEL void vec_conv(sycl::vec<float, 4> *v) {
  auto d = v->convert<double>();
  *v = d.convert<float>();
}
KERNEL void vec_d_elem(sycl::vec<double, 2> *v, float *p) { *p = v->x(); }
KERNEL void vec_d_local(float *p) {
  sycl::vec<double, 2> v{1, 2};
  *p = 3;
}
KERNEL void marray_d(sycl::marray<double, 2> *m) { (*m)[0] = 1; }
KERNEL void half_vec_local(float *p) {
  sycl::vec<sycl::half, 2> v{1, 2};
  *p = 3;
}
KERNEL void half_round(float *p) { *p = static_cast<float>(static_cast<sycl::half>(*p)); }
KERNEL void half_ptr_add(sycl::half *h, sycl::half **o) { *o = h + 3; }
KERNEL void half_ref_param(sycl::half *h, float *p) {
  const sycl::half &r = *h;
  *p = 1;
}
KERNEL void pair_d(float *p) {
  struct {
    double a;
    int b;
  } s{1, 2};
  *p = s.b;
}
KERNEL void array_of_struct(float *p, int i) {
  params a[2] = {{1, 2, 3}, {4, 5, 6}};
  *p = a[i & 1].scale;
}
KERNEL void swap_ptrs(double **a, double **b) {
  double *t = *a;
  *a = *b;
  *b = t;
}
KERNEL void sum_ld(const long *p, double *o) { *o = (double)p[0]; }
KERNEL void long_to_float(const long *p, float *o) { *o = p[0]; }
KERNEL void bit_cast_d(const long *p, float *o) { *o = __builtin_bit_cast(double, p[0]) > 0; }
KERNEL void isnan_d(double *d, int *o) { *o = sycl::isnan(*d); }
KERNEL void atomic_u64(unsigned long *p) {
  sycl::atomic_ref<unsigned long, sycl::memory_order::relaxed, sycl::memory_scope::device> r(*p);
  r.fetch_max(3);
}
KERNEL void atomic_in_struct(particle *p) {
  sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> r(p->id);
  ++r;
}
template <class T> void visit(T *p) {
  if constexpr (sizeof(T) == 8)
    *p = T(1);
  else
    *p = T(2);
}
KERNEL void visit_f(float *p) { visit(p); }
KERNEL void visit_d(double *p) { visit(p); }
template <bool D> float branch(float x) {
  if (D)
    return x * 2.1;
  return x;
}
KERNEL void branch_no(float *p) { *p = branch<false>(*p); }
KERNEL void branch_yes(float *p) { *p = branch<true>(*p); }
KERNEL void lam(particle *p, int n) {
  auto f = [=](int i) { return p[i].id; };
  int s = 0;
  for (int i = 0; i < n; ++i)
    s += f(i);
  p[0].id = s;
}
KERNEL void ref_lam(float *p) {
  double d = *p;
  auto f = [&] { d += 1; };
  f();
  *p = d;
}
KERNEL void by_ptr_local(float *p) {
  params s{1, *p, 3};
  auto set = [](params *q) { q->scale *= 2; };
  set(&s);
  *p = s.scale;
}
inline float helper(const params &s) { return s.scale; }
KERNEL void by_ref_local(float *p) {
  params s{1, *p, 3};
  *p = helper(s);
}
KERNEL void by_ref_ptr(params *s, float *p) { *p = helper(*s); }
KERNEL void select_obj(params *s, float *p) {
  params l{1, 2, 3};
  params *q = *p > 0 ? s : &l;
  *p = q->scale;
}
KERNEL void dead_read(params *s, float *p) {
  float f = s->scale;
  *p = 1;
}
KERNEL void null_check(particle *p, int *o) { *o = p != nullptr; }
KERNEL void ptr_diff(particle *a, particle *b, long *o) { *o = a - b; }
