// Bitonic sorting of a power of two of numbers in device memory. The network has a stage for each
// power of two: a stage merges bitonic sequences of this length, with comparisons at distances that
// halve. Comparisons at distances within a block need no other block: one kernel does all of these
// in local memory. Longer distances are a kernel each. An in-order queue keeps the sequence.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

constexpr std::size_t block = 256; // elements that a work-group of half as many work-items sorts

// The lower position of the pair that work-item `index` compares at `distance`.
static std::size_t lower_of_pair(std::size_t index, std::size_t distance) {
  return 2 * distance * (index / distance) + index % distance;
}

template <typename T> static void exchange(T &lower, T &upper, bool ascending) {
  if ((upper < lower) == ascending) {
    T saved = lower;
    lower = upper;
    upper = saved;
  }
}

template <typename T> class global_exchange;
template <typename T> class local_exchanges;

template <typename T>
void compare_far(sycl::queue &queue, T *data, std::size_t size, std::size_t length,
                 std::size_t distance) {
  queue.parallel_for<global_exchange<T>>(sycl::range<1>(size / 2), [=](sycl::id<1> index) {
    const std::size_t lower = lower_of_pair(index, distance);
    exchange(data[lower], data[lower + distance], (lower & length) == 0);
  });
}

// All comparisons at distances less than a block, for the stages from `first` to `last`.
template <typename T>
void compare_near(sycl::queue &queue, T *data, std::size_t size, std::size_t first,
                  std::size_t last) {
  queue.submit([&](sycl::handler &handler) {
    sycl::local_accessor<T, 1> part(sycl::range<1>(block), handler);
    handler.parallel_for<local_exchanges<T>>(
        sycl::nd_range<1>(size / 2, block / 2), [=](sycl::nd_item<1> item) {
          const std::size_t lane = item.get_local_linear_id();
          const std::size_t origin = item.get_group_linear_id() * block;
          part[lane] = data[origin + lane];
          part[lane + block / 2] = data[origin + lane + block / 2];
          for (std::size_t length = first; length <= last; length *= 2)
            for (std::size_t distance = sycl::min(length, block) / 2; distance > 0; distance /= 2) {
              sycl::group_barrier(item.get_group());
              const std::size_t lower = lower_of_pair(lane, distance);
              exchange(part[lower], part[lower + distance], ((origin + lower) & length) == 0);
            }
          sycl::group_barrier(item.get_group());
          data[origin + lane] = part[lane];
          data[origin + lane + block / 2] = part[lane + block / 2];
        });
  });
}

template <typename T> void sort(sycl::queue &queue, T *data, std::size_t size) {
  compare_near(queue, data, size, 2, std::min(size, block));
  for (std::size_t length = 2 * block; length <= size; length *= 2) {
    for (std::size_t distance = length / 2; distance >= block; distance /= 2)
      compare_far(queue, data, size, length, distance);
    compare_near(queue, data, size, length, length);
  }
}

template <typename T> bool check(sycl::queue &queue, std::vector<T> values) {
  T *data = sycl::malloc_device<T>(values.size(), queue);
  std::vector<T> sorted(values.size());
  queue.copy(values.data(), data, values.size());
  sort(queue, data, values.size());
  queue.copy(data, sorted.data(), values.size()).wait();
  sycl::free(data, queue);
  std::sort(values.begin(), values.end());
  return sorted == values;
}

int main() {
  sycl::queue queue{sycl::property::queue::in_order{}};
  std::mt19937 engine(2024);
  std::vector<float> fractions(8192);
  std::normal_distribution<float> normal;
  std::generate(fractions.begin(), fractions.end(), [&] { return normal(engine); });
  std::vector<std::int16_t> repeated(1024);
  std::generate(repeated.begin(), repeated.end(),
                [&] { return static_cast<std::int16_t>(engine() % 21 - 10); });
  std::vector<unsigned> descending(block);
  std::generate(descending.begin(), descending.end(), [next = 1000u]() mutable { return next--; });

  const bool right = check(queue, fractions) && check(queue, repeated) && check(queue, descending);
  std::printf("bitonic sort: %s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
