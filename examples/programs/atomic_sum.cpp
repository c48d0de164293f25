// Adds up whole numbers: every work-item adds its own to one sum.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

int main() {
  std::vector<int> values(1000);
  std::iota(values.begin(), values.end(), 1);
  int sum = 0;
  int largest = 0;

  sycl::queue queue;
  {
    sycl::buffer value_buffer(values);
    sycl::buffer<int> sum_buffer(&sum, 1);
    sycl::buffer<int> largest_buffer(&largest, 1);
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor in(value_buffer, handler, sycl::read_only);
      sycl::accessor total(sum_buffer, handler, sycl::read_write);
      sycl::accessor maximum(largest_buffer, handler, sycl::read_write);
      handler.parallel_for(sycl::range<1>(values.size()), [=](sycl::id<1> i) {
        using reference =
            sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device,
                             sycl::access::address_space::global_space>;
        reference(total[0]) += in[i];
        reference(maximum[0]).fetch_max(in[i]);
      });
    });
  }

  std::printf("sum %d, largest %d\n", sum, largest);
  return sum == 500500 && largest == 1000 ? 0 : 1;
}
