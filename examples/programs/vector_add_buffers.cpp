// Adds two vectors. The buffers copy the data to the device and the sum back.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <iostream>
#include <vector>

int main() {
  constexpr std::size_t n = 1000;
  std::vector<float> a(n), b(n), sum(n);
  for (std::size_t i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = 2.0f * static_cast<float>(i);
  }

  sycl::queue queue;
  {
    sycl::buffer a_buffer(a);
    sycl::buffer b_buffer(b);
    sycl::buffer sum_buffer(sum);
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor x(a_buffer, handler, sycl::read_only);
      sycl::accessor y(b_buffer, handler, sycl::read_only);
      sycl::accessor z(sum_buffer, handler, sycl::write_only, sycl::no_init);
      handler.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) { z[i] = x[i] + y[i]; });
    });
  } // here the sum is written back

  for (std::size_t i = 0; i < n; ++i) {
    if (sum[i] != 3.0f * static_cast<float>(i)) {
      std::cout << "wrong at " << i << ": " << sum[i] << "\n";
      return 1;
    }
  }
  std::cout << "vector addition with buffers: ok\n";
}
