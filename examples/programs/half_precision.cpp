// Numbers of 16 bits, where the device has them.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

int main() {
  sycl::queue queue;
  if (!queue.get_device().has(sycl::aspect::fp16)) {
    std::puts("this device has no half precision");
    return 0;
  }

  constexpr std::size_t n = 64;
  std::vector<sycl::half> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = static_cast<float>(i);
  {
    sycl::buffer buffer(values);
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor data(buffer, handler);
      handler.parallel_for(n, [=](sycl::id<1> i) {
        sycl::half x = data[i];
        data[i] = x * sycl::half(0.5f) + sycl::sqrt(sycl::half(16.0f));
      });
    });
  }

  int errors = 0;
  for (std::size_t i = 0; i < n; ++i)
    errors += static_cast<float>(values[i]) != 0.5f * static_cast<float>(i) + 4.0f;
  std::printf("half precision: %d errors\n", errors);
  return errors != 0;
}
