// Ranges that nothing divides, which are run in groups that do not divide them either: every item
// once, with its own id, over accessors and over USM; prints what is not as it should be.
#include <cstdio>
#include <sycl/sycl.hpp>
#include <vector>

template <int D> std::size_t linear(sycl::item<D> it) { return it.get_linear_id(); }

template <int D> void check(sycl::queue &q, sycl::range<D> size) {
  std::size_t count = size.size();
  std::vector<unsigned> content(count, 1);
  {
    sycl::buffer<unsigned, D> memory(content.data(), size);
    q.submit([&](sycl::handler &h) {
      sycl::accessor x(memory, h, sycl::read_write);
      h.parallel_for(size, [=](sycl::item<D> it) {
        bool right = it.get_range() == size;
        x[it.get_id()] += 2 * unsigned(linear(it)) + unsigned(!right);
      });
    });
  }
  unsigned *shared = sycl::malloc_shared<unsigned>(count, q);
  q.fill(shared, 1u, count).wait();
  q.parallel_for(size, [=](sycl::item<D> it) {
     shared[linear(it)] += 2 * unsigned(linear(it));
   }).wait();
  for (std::size_t i = 0; i < count; ++i)
    if (content[i] != 1 + 2 * unsigned(i) || shared[i] != content[i])
      return (void)std::printf("%zu items, %d dimensions: item %zu is wrong\n", count, D, i);
  sycl::free(shared, q);
}

int main() {
  sycl::queue q;
  for (std::size_t n : {1, 2, 61, 67, 127, 8191, 8209, 65521, 131071})
    check(q, sycl::range<1>(n));
  check(q, sycl::range<2>(3, 10007));
  check(q, sycl::range<2>(10007, 3));
  check(q, sycl::range<2>(1, 65521));
  check(q, sycl::range<2>(65521, 1));
  check(q, sycl::range<3>(3, 5, 8209));
  check(q, sycl::range<3>(8209, 5, 3));
  check(q, sycl::range<3>(5, 8209, 3));
  std::puts("done");
}
