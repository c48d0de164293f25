// Kernels that every source which includes this makes.
#pragma once
#include <sycl/sycl.hpp>
template <class T> void setv(sycl::queue &q, T *p, T v) {
  q.single_task([=] { *p = v; }).wait();
}
inline void addone(sycl::queue &q, int *p) {
  q.parallel_for<class AddOne>(4, [=](sycl::id<1> i) { p[i] += 1; }).wait();
}
SYCL_EXTERNAL int triple(int x);
int other(sycl::queue &q, int *p);
