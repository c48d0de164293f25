// Several reductions in one kernel: number, sum, least, greatest, and which bits occur, of the
// values of a sample that are in a range.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <vector>

struct Summary {
  unsigned count;
  long sum;
  int least, greatest;
  unsigned bits;
};

static Summary on_host(const std::vector<int> &sample, int from, int to) {
  Summary result{0, 0, std::numeric_limits<int>::max(), std::numeric_limits<int>::lowest(), 0};
  for (int value : sample)
    if (value >= from && value < to) {
      ++result.count;
      result.sum += value;
      result.least = std::min(result.least, value);
      result.greatest = std::max(result.greatest, value);
      result.bits |= static_cast<unsigned>(value);
    }
  return result;
}

static Summary on_device(sycl::queue &queue, const std::vector<int> &sample, int from, int to) {
  Summary *result = sycl::malloc_shared<Summary>(1, queue);
  {
    sycl::buffer<int> values(sample.data(), sycl::range<1>(sample.size()));
    // The earlier values of the variables do not count.
    const sycl::property_list starts{sycl::property::reduction::initialize_to_identity()};
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor value(values, handler, sycl::read_only);
      handler.parallel_for(
          values.get_range(), sycl::reduction(&result->count, sycl::plus<>(), starts),
          sycl::reduction(&result->sum, sycl::plus<>(), starts),
          sycl::reduction(&result->least, sycl::minimum<>(), starts),
          sycl::reduction(&result->greatest, sycl::maximum<>(), starts),
          sycl::reduction(&result->bits, sycl::bit_or<>(), starts),
          [=](sycl::id<1> i, auto &count, auto &sum, auto &least, auto &greatest, auto &bits) {
            const int own = value[i];
            if (own < from || own >= to)
              return;
            ++count;
            sum += own;
            least.combine(own);
            greatest.combine(own);
            bits |= static_cast<unsigned>(own);
          });
    });
    queue.wait();
  }
  const Summary copy = *result;
  sycl::free(result, queue);
  return copy;
}

int main() {
  std::vector<int> sample(12347);
  for (std::size_t i = 0; i < sample.size(); ++i)
    sample[i] = static_cast<int>(i * i % 10007) - 2000;

  sycl::queue queue;
  int errors = 0;
  // The last range has no values: what results are the identities.
  const int ranges[3][2] = {{-5000, 20000}, {100, 200}, {50000, 60000}};
  for (const auto &range : ranges) {
    const Summary got = on_device(queue, sample, range[0], range[1]);
    const Summary expected = on_host(sample, range[0], range[1]);
    errors += got.count != expected.count || got.sum != expected.sum ||
              got.least != expected.least || got.greatest != expected.greatest ||
              got.bits != expected.bits;
  }
  std::printf("summaries: %d errors\n", errors);
  return errors == 0 ? 0 : 1;
}
