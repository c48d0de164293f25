// Sorts in registers: the work-items of a sub-group exchange their elements by permute_group_by_xor
// in the pattern of a bitonic network, so that each sub-group sorts as many elements as it has
// work-items, without memory. The sorted runs of a work-group are then merged by ranks: the place
// of an element is the number of elements before it in all runs. The width of sub-groups is that of
// the device.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <random>
#include <vector>

constexpr std::size_t block = 128, blocks = 24;

template <typename T> T sorted_in_sub_group(sycl::sub_group sub_group, T own) {
  const unsigned lane = sub_group.get_local_linear_id(), lanes = sub_group.get_local_linear_range();
  for (unsigned length = 2; length <= lanes; length *= 2)
    for (unsigned distance = length / 2; distance > 0; distance /= 2) {
      const T other = sycl::permute_group_by_xor(sub_group, own, distance);
      const bool is_lower = (lane & distance) == 0, ascending = (lane & length) == 0;
      own = is_lower == ascending ? sycl::min(own, other) : sycl::max(own, other);
    }
  return own;
}

// How many elements of a sorted run are less than `value`, or not greater.
template <typename T>
std::size_t rank_in_run(const T *run, std::size_t size, T value, bool count_equal) {
  std::size_t first = 0;
  while (size > 0) {
    const std::size_t half = size / 2;
    if (run[first + half] < value || (count_equal && run[first + half] == value)) {
      first += half + 1;
      size -= half + 1;
    } else
      size = half;
  }
  return first;
}

template <typename T> bool sorts_blocks(sycl::queue &queue, std::vector<T> values) {
  T *data = sycl::malloc_device<T>(values.size(), queue);
  queue.copy(values.data(), data, values.size()).wait();
  queue
      .submit([&](sycl::handler &handler) {
        sycl::local_accessor<T> runs(block, handler);
        handler.parallel_for(
            sycl::nd_range<1>{{values.size()}, {block}}, [=](sycl::nd_item<1> item) {
              const sycl::sub_group sub_group = item.get_sub_group();
              const std::size_t lanes = sub_group.get_local_linear_range();
              const std::size_t own_run = sub_group.get_group_linear_id();
              const T own = sorted_in_sub_group(sub_group, data[item.get_global_linear_id()]);
              // The sorted run, in place of what the sub-group has read.
              const std::size_t lane = sub_group.get_local_linear_id();
              runs[own_run * lanes + lane] = own;
              sycl::group_barrier(item.get_group());

              const T *all = runs.template get_multi_ptr<sycl::access::decorated::no>().get();
              std::size_t place = lane;
              for (std::size_t run = 0; run < block / lanes; ++run)
                if (run != own_run) // of equal elements, those of earlier runs come first
                  place += rank_in_run(all + run * lanes, lanes, own, run < own_run);
              data[item.get_group_linear_id() * block + place] = own;
            });
      })
      .wait();
  std::vector<T> result(values.size());
  queue.copy(data, result.data(), result.size()).wait();
  sycl::free(data, queue);

  for (std::size_t first = 0; first < values.size(); first += block)
    std::sort(values.begin() + first, values.begin() + first + block);
  return result == values;
}

int main() {
  sycl::queue queue;
  // Networks need a power of two of work-items, and full sub-groups.
  for (std::size_t size : queue.get_device().get_info<sycl::info::device::sub_group_sizes>())
    if ((size & (size - 1)) != 0 || block % size != 0) {
      std::puts("sub-group sort: not for this device");
      return 0;
    }

  std::mt19937 engine(77);
  std::vector<int> integers(block * blocks);
  std::generate(integers.begin(), integers.end(), [&] { return static_cast<int>(engine()); });
  std::vector<unsigned> repeated(block * blocks);
  std::generate(repeated.begin(), repeated.end(),
                [&] { return static_cast<unsigned>(engine() % 9); });
  std::vector<float> fractions(block * blocks);
  std::uniform_real_distribution<float> uniform(-5, 5);
  std::generate(fractions.begin(), fractions.end(), [&] { return uniform(engine); });

  const bool right = sorts_blocks(queue, integers) && sorts_blocks(queue, repeated) &&
                     sorts_blocks(queue, fractions);
  std::printf("sub-group sort: %s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
