// Run-length encoding in parallel: an element that differs from the one before it begins a run; an
// inclusive scan of these flags numbers the runs; then each beginning notes its value and place,
// and lengths are the differences of places. Decoding finds the run of each element by binary
// search. Buffers order the four kernels; the host encodes the same bytes in one loop.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr std::size_t n = 5000, group_size = 128;

struct Run {
  std::uint8_t value;
  std::uint32_t length;
  bool operator==(const Run &other) const { return value == other.value && length == other.length; }
};

int main() {
  std::vector<std::uint8_t> input(n), decoded(n);
  std::uint32_t seed = 1;
  for (std::size_t i = 0; i < n; ++i) {
    seed = seed * 1664525u + 1013904223u;
    input[i] = i > 0 && seed >> 24 < 220 ? input[i - 1] : static_cast<std::uint8_t>(seed >> 8);
  }

  std::vector<Run> runs;
  {
    sycl::queue queue;
    sycl::buffer source(input), target(decoded);
    sycl::buffer<std::uint32_t> numbers{sycl::range<1>(n)}, begins{sycl::range<1>(n + 1)};

    queue.submit([&](sycl::handler &handler) {
      sycl::accessor value(source, handler, sycl::read_only);
      sycl::accessor number(numbers, handler, sycl::write_only, sycl::no_init);
      // One work-group: from block to block, the last sum is carried along.
      handler.parallel_for(sycl::nd_range<1>(group_size, group_size), [=](sycl::nd_item<1> item) {
        std::uint32_t carried = 0;
        for (std::size_t first = 0; first < n; first += group_size) {
          const std::size_t i = first + item.get_local_id(0);
          const std::uint32_t begins_run = i < n && (i == 0 || value[i] != value[i - 1]);
          const auto sum = sycl::inclusive_scan_over_group(item.get_group(), begins_run,
                                                           sycl::plus<std::uint32_t>(), carried);
          if (i < n)
            number[i] = sum;
          carried = sycl::group_broadcast(item.get_group(), sum, group_size - 1);
        }
      });
    });
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor number(numbers, handler, sycl::read_only);
      sycl::accessor begin(begins, handler, sycl::write_only, sycl::no_init);
      handler.parallel_for(sycl::range<1>(n), [=](sycl::id<1> id) {
        const std::size_t i = id;
        if (i == 0 || number[i] != number[i - 1])
          begin[number[i] - 1] = static_cast<std::uint32_t>(i);
        if (i == n - 1)
          begin[number[i]] = n; // one behind the last run
      });
    });

    std::size_t count = 0;
    {
      const sycl::host_accessor last(numbers, sycl::range<1>(1), sycl::id<1>(n - 1),
                                     sycl::read_only);
      count = last[0];
    }
    runs.resize(count);
    sycl::buffer run_buffer(runs);
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor value(source, handler, sycl::read_only);
      sycl::accessor begin(begins, handler, sycl::read_only);
      sycl::accessor run(run_buffer, handler, sycl::write_only, sycl::no_init);
      handler.parallel_for(run_buffer.get_range(), [=](sycl::item<1> item) {
        const std::size_t i = item.get_linear_id();
        run[i] = {value[begin[i]], begin[i + 1] - begin[i]};
      });
    });
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor run(run_buffer, handler, sycl::read_only);
      sycl::accessor begin(begins, handler, sycl::range<1>(count), sycl::read_only);
      sycl::accessor value(target, handler, sycl::write_only, sycl::no_init);
      handler.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
        std::size_t low = 0, high = begin.size();
        while (high - low > 1) {
          const std::size_t middle = low + (high - low) / 2;
          (begin[middle] <= i[0] ? low : high) = middle;
        }
        value[i] = run[low].value;
      });
    });
  }

  std::vector<Run> expected;
  for (std::uint8_t each : input) {
    if (expected.empty() || expected.back().value != each)
      expected.push_back({each, 0});
    ++expected.back().length;
  }
  const bool right = runs == expected && decoded == input;
  std::printf("%zu bytes in %zu runs: %s\n", n, runs.size(), right ? "ok" : "wrong");
  return right ? 0 : 1;
}
