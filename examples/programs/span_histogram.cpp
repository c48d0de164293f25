// A histogram as a reduction of a span: each bin is a reduction variable. A second one counts, in
// the same kernel, which pairs of neighbouring bins occur.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

int main() {
  constexpr std::size_t bins = 24, size = 100003;
  std::vector<unsigned char> samples(size);
  unsigned state = 12345;
  for (unsigned char &sample : samples) {
    state = state * 1664525u + 1013904223u;
    sample = static_cast<unsigned char>(((state >> 16) % bins * ((state >> 8) % bins + 1)) / bins);
  }
  std::vector<unsigned> expected(bins, 0), rising_expected(bins, 0);
  for (std::size_t i = 0; i < size; ++i) {
    ++expected[samples[i]];
    if (i + 1 < size && samples[i + 1] > samples[i])
      ++rising_expected[samples[i]];
  }

  sycl::queue queue{sycl::property::queue::in_order()};
  auto *values = sycl::malloc_device<unsigned char>(size, queue);
  unsigned *counts = sycl::malloc_shared<unsigned>(2 * bins, queue);
  queue.copy(samples.data(), values, size);
  queue.fill(counts, 0u, 2 * bins);

  auto histogram = sycl::reduction(sycl::span<unsigned, bins>(counts, bins), sycl::plus<>());
  auto rising = sycl::reduction(sycl::span<unsigned, bins>(counts + bins, bins), sycl::plus<>());
  queue.parallel_for(sycl::range<1>(size), histogram, rising,
                     [=](sycl::item<1> item, auto &count, auto &rises) {
                       const std::size_t i = item.get_linear_id();
                       ++count[values[i]];
                       if (i + 1 < item.get_range(0) && values[i + 1] > values[i])
                         rises[values[i]] += 1;
                     });
  queue.wait();

  const bool right = std::equal(expected.begin(), expected.end(), counts) &&
                     std::equal(rising_expected.begin(), rising_expected.end(), counts + bins);
  const unsigned total = std::accumulate(counts, counts + bins, 0u);
  std::printf("histogram of %u samples, most in bin %d: %s\n", total,
              static_cast<int>(std::max_element(counts, counts + bins) - counts),
              right ? "ok" : "wrong");
  sycl::free(values, queue);
  sycl::free(counts, queue);
  return right ? 0 : 1;
}
