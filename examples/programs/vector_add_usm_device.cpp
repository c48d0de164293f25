// Adds two vectors in device memory, with explicit copies.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <iostream>
#include <vector>

int main() {
  constexpr std::size_t n = 4096;
  std::vector<int> a(n, 3), b(n, 4), sum(n);

  sycl::queue queue;
  int *x = sycl::malloc_device<int>(n, queue);
  int *y = sycl::malloc_device<int>(n, queue);
  int *z = sycl::malloc_device<int>(n, queue);

  queue.memcpy(x, a.data(), n * sizeof(int)).wait();
  queue.memcpy(y, b.data(), n * sizeof(int)).wait();
  queue.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) { z[i] = x[i] + y[i]; }).wait();
  queue.memcpy(sum.data(), z, n * sizeof(int)).wait();

  sycl::free(x, queue);
  sycl::free(y, queue);
  sycl::free(z, queue);

  for (int value : sum) {
    if (value != 7) {
      std::cout << "wrong: " << value << "\n";
      return 1;
    }
  }
  std::cout << "vector addition in device memory: ok\n";
}
