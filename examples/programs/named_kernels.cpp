// Kernels with names: classes that are only declared.
#include <sycl/sycl.hpp>

#include <cstdio>

class fill_with_numbers;

namespace statistics {
class square;
template <typename T, int N> class scale;
} // namespace statistics

int main() {
  constexpr int n = 64;
  sycl::queue queue;
  sycl::buffer<float> buffer{sycl::range<1>(n)};

  queue.submit([&](sycl::handler &handler) {
    sycl::accessor data(buffer, handler, sycl::write_only, sycl::no_init);
    handler.parallel_for<fill_with_numbers>(
        sycl::range<1>(n), [=](sycl::id<1> i) { data[i] = static_cast<float>(i[0]); });
  });
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor data(buffer, handler, sycl::read_write);
    handler.parallel_for<statistics::square>(sycl::range<1>(n),
                                             [=](sycl::id<1> i) { data[i] *= data[i]; });
  });
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor data(buffer, handler, sycl::read_write);
    handler.single_task<statistics::scale<float, 3>>([=] {
      for (int i = 0; i < n; ++i)
        data[i] *= 3.0f;
    });
  });

  sycl::host_accessor result(buffer, sycl::read_only);
  int errors = 0;
  for (int i = 0; i < n; ++i)
    errors += result[i] != 3.0f * static_cast<float>(i * i);
  std::printf("named kernels: %d errors\n", errors);
  return errors != 0;
}
