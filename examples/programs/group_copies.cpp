// Smoothing by blocks: a work-group copies its block and the neighbours of the block to local
// memory with async_work_group_copy, works there, and copies the result back.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

int main() {
  constexpr std::size_t n = 512, block = 32, edge = 2, window = 2 * edge + 1;

  std::vector<int> signal(n + 2 * edge);
  for (std::size_t i = 0; i < signal.size(); ++i)
    signal[i] = static_cast<int>(i * 37 % 101);
  std::vector<int> smooth(n, -1);

  sycl::queue queue;
  {
    sycl::buffer in_buffer(signal), out_buffer(smooth);
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor in(in_buffer, handler, sycl::read_only);
      sycl::accessor out(out_buffer, handler, sycl::write_only, sycl::no_init);
      sycl::local_accessor<int> source(block + 2 * edge, handler), result(block, handler);
      handler.parallel_for(sycl::nd_range<1>(n, block), [=](sycl::nd_item<1> item) {
        constexpr auto decorated = sycl::access::decorated::yes;
        const auto group = item.get_group();
        const std::size_t first = group.get_group_linear_id() * block, i = item.get_local_id(0);

        auto copied =
            group.async_work_group_copy(source.get_multi_ptr<decorated>(),
                                        in.get_multi_ptr<decorated>() + first, block + 2 * edge, 1);
        group.wait_for(copied); // also a barrier: all see the whole block

        int sum = 0;
        for (std::size_t k = 0; k < window; ++k)
          sum += source[i + k];
        result[i] = sum;
        sycl::group_barrier(group);

        auto written = group.async_work_group_copy(out.get_multi_ptr<decorated>() + first,
                                                   result.get_multi_ptr<decorated>(), block, 1);
        group.wait_for(written);
      });
    });
  }

  int wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {
    int expected = 0;
    for (std::size_t k = 0; k < window; ++k)
      expected += signal[i + k];
    wrong += smooth[i] != expected;
  }
  std::printf("group copies: %d of %zu sums wrong\n", wrong, n);
  return wrong != 0;
}
