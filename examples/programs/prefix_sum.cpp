// Running sums within work-groups: local memory and barriers, round by round.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

int main() {
  constexpr std::size_t n = 256, group_size = 32;
  std::vector<int> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = static_cast<int>(i % 10);
  std::vector<int> expected(n);
  for (std::size_t i = 0; i < n; ++i)
    expected[i] = values[i] + (i % group_size ? expected[i - 1] : 0);

  sycl::queue queue;
  {
    sycl::buffer buffer(values);
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor data(buffer, handler, sycl::read_write);
      sycl::local_accessor<int, 1> sums(sycl::range<1>(group_size), handler);
      handler.parallel_for(sycl::nd_range<1>(n, group_size), [=](sycl::nd_item<1> item) {
        auto group = item.get_group();
        std::size_t at = item.get_local_linear_id();
        sums[at] = data[item.get_global_id(0)];
        for (std::size_t distance = 1; distance < group_size; distance *= 2) {
          sycl::group_barrier(group);
          int before = at >= distance ? sums[at - distance] : 0;
          sycl::group_barrier(group, sycl::memory_scope::work_group);
          sums[at] += before;
        }
        data[item.get_global_id(0)] = sums[at];
      });
    });
  }

  bool right = values == expected;
  std::printf("prefix sum: %s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
