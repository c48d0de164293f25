// Kernels of a header that two sources include, and what went wrong once at -O0 or with no_init.
#include <sycl/sycl.hpp>

#include "shared.hpp"
#include <cstdio>
int main() {
  sycl::queue q;
  int *p = sycl::malloc_shared<int>(16, q);
  setv<int>(q, p, 3);
  for (int i = 0; i < 4; ++i)
    p[i] = 3;
  addone(q, p);
  q.single_task([=] { p[5] = triple(p[0]); }).wait();
  other(q, p);
  int v[4] = {5, 5, 5, 5};
  {
    sycl::buffer<int> b(v, 4);
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(b, h, sycl::write_only, sycl::no_init);
      h.fill(a, 1);
    });
  }
  int r0 = 0;
  {
    q.parallel_for(8, [=](sycl::item<1> i) {
       p[8 + i.get_id(0)] = i.get_range(0) + i.get_linear_id();
     }).wait();
    for (int i = 0; i < 8; ++i)
      r0 += p[8 + i] != 8 + i;
  }
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<int> l(16, h);
     h.parallel_for(sycl::nd_range<1>(16, 16), [=](sycl::nd_item<1> it) {
       int i = it.get_local_id(0);
       l[i] = i;
       sycl::group_barrier(it.get_group());
       p[i] = l[15 - i];
     });
   }).wait();
  int r1 = 0;
  for (int i = 0; i < 16; ++i)
    r1 += p[i] != 15 - i;
  std::printf("%d %d %d %d\n", v[0], v[3], r0, r1);
}
