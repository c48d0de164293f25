// Mean and variance in one pass, with Chan's formula for merging partial results: a reduction of a
// structure with a custom operation and its identity.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

struct Moments {
  double count, mean, squares; // squares: the sum of squared differences from the mean
};

struct Merge {
  Moments operator()(const Moments &left, const Moments &right) const {
    const double count = left.count + right.count;
    if (count == 0)
      return left;
    const double difference = right.mean - left.mean;
    return {count, left.mean + difference * right.count / count,
            left.squares + right.squares +
                difference * difference * left.count * right.count / count};
  }
};

int main() {
  constexpr std::size_t size = 54321;
  // Small variations of large values, for which a mean of squares would be useless.
  std::vector<double> sample(size);
  for (std::size_t i = 0; i < size; ++i)
    sample[i] = 1e9 + static_cast<double>(i * 7919 % 1000) / 100;

  double mean_expected = 0, variance_expected = 0;
  for (double value : sample)
    mean_expected += (value - 1e9) / size;
  for (double value : sample)
    variance_expected += (value - 1e9 - mean_expected) * (value - 1e9 - mean_expected) / (size - 1);
  mean_expected += 1e9;

  Moments result{0, 0, 0};
  {
    sycl::queue queue;
    sycl::buffer values(sample);
    sycl::buffer<Moments> result_buffer(&result, 1);
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor value(values, handler, sycl::read_only);
      auto moments = sycl::reduction(result_buffer, handler, Moments{0, 0, 0}, Merge());
      constexpr std::size_t local = 128, whole = (size + local - 1) / local * local;
      handler.parallel_for(sycl::nd_range<1>(whole, local), moments,
                           [=](sycl::nd_item<1> item, auto &total) {
                             const std::size_t i = item.get_global_id(0);
                             if (i < size)
                               total.combine(Moments{1, value[i], 0});
                           });
    });
  }

  const double variance = result.squares / (result.count - 1);
  const bool right = result.count == size && std::fabs(result.mean - mean_expected) < 1e-5 &&
                     std::fabs(variance / variance_expected - 1) < 1e-6;
  std::printf("mean %.4f, variance %.4f: %s\n", result.mean, variance, right ? "ok" : "wrong");
  return right ? 0 : 1;
}
