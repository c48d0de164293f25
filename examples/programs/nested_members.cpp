// A kernel object with accessors in a base class, in an array, and captured by lambdas.
#include <cstdio>
#include <sycl/sycl.hpp>
#include <vector>
using Local = sycl::local_accessor<int, 1>;
using Acc = sycl::accessor<int, 1, sycl::access_mode::read_write>;
struct Base {
  Local scratch;
  Acc out;
};
struct Kernel : Base {
  Local more[2];
  int factor;
  void operator()(sycl::nd_item<1> it) const {
    size_t l = it.get_local_id(0), g = it.get_global_id(0);
    scratch[l] = int(g);
    more[0][l] = 10;
    more[1][l] = factor;
    sycl::group_barrier(it.get_group());
    out[g] = scratch[3 - l] * more[1][3 - l] + more[0][l];
  }
};
int main() {
  std::vector<int> v(8);
  sycl::queue q;
  {
    sycl::buffer b(v);
    q.submit([&](sycl::handler &h) {
      Local a(4, h), m0(4, h), m1(4, h);
      Acc acc(b, h);
      Kernel k{{a, acc}, {m0, m1}, 3};
      auto inner = [=](sycl::nd_item<1> it) { k(it); };
      struct Holder {
        decltype(inner) f;
        void operator()(sycl::nd_item<1> it) const { f(it); }
      } holder{inner};
      h.parallel_for(sycl::nd_range<1>(8, 4), holder);
    });
  }
  int bad = 0;
  for (int g = 0; g < 8; ++g)
    bad += v[g] != (g / 4 * 4 + 3 - g % 4) * 3 + 10;
  std::printf("nested members: %d errors\n", bad);
  return bad;
}
