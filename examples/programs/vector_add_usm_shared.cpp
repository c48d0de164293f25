// Adds two vectors in memory that host and device share; the kernel is given by item.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>

int main() {
  constexpr std::size_t n = 2048;
  sycl::queue queue{sycl::default_selector_v};
  double *a = sycl::malloc_shared<double>(n, queue);
  double *b = sycl::malloc_shared<double>(n, queue);
  for (std::size_t i = 0; i < n; ++i) {
    a[i] = 0.5 * static_cast<double>(i);
    b[i] = 1.0;
  }

  queue.parallel_for(n, [=](sycl::item<1> item) {
    std::size_t i = item.get_linear_id();
    b[i] += a[i];
  });
  queue.wait();

  bool right = true;
  for (std::size_t i = 0; i < n; ++i)
    right = right && b[i] == 0.5 * static_cast<double>(i) + 1.0;
  sycl::free(a, queue);
  sycl::free(b, queue);

  std::printf("vector addition in shared memory: %s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
