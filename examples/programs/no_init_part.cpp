// Only the covered part of a buffer is undefined after no_init; the rest keeps its content.
#include <cstdio>
#include <sycl/sycl.hpp>
#include <vector>
int main() {
  std::vector<int> v(8, 5);
  sycl::queue q;
  {
    sycl::buffer<int> b(v.data(), sycl::range<1>(8));
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(b, h, sycl::range<1>(4), sycl::id<1>(2), sycl::write_only, sycl::no_init);
      h.parallel_for(4, [=](sycl::id<1> i) { a[i] = 1; });
    });
    sycl::host_accessor r(b, sycl::range<1>(2), sycl::id<1>(0), sycl::write_only, sycl::no_init);
    r[0] = 9;
  }
  for (int x : v)
    std::printf("%d ", x);
  std::puts("");
  return 0;
}
