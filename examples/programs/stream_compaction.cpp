// Stream compaction: the elements that satisfy a condition move to the front and keep their order.
// First each work-group counts its elements; a scan of the counts gives the place where each group
// begins; then each group scans its flags for the place of each element. Three sub-buffers of one
// buffer are compacted with different conditions, and the host compares with std::copy_if.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <utility>
#include <vector>

constexpr std::size_t parts = 3, groups = 24, group_size = 128, part_size = groups * group_size;

using numbers = std::vector<std::int32_t>;

struct Negative {
  bool operator()(std::int32_t value) const { return value < 0; }
};

struct Multiple {
  std::int32_t divisor;
  bool operator()(std::int32_t value) const { return value % divisor == 0; }
};

template <typename Condition>
numbers compact(sycl::queue queue, sycl::buffer<std::int32_t> &input, Condition condition) {
  sycl::buffer<std::int32_t> output{input.get_range()};
  sycl::buffer<std::uint32_t> places{sycl::range<1>(groups + 1)};
  const sycl::nd_range<1> range(part_size, group_size);

  queue.submit([&](sycl::handler &handler) {
    sycl::accessor in(input, handler, sycl::read_only);
    sycl::accessor count(places, handler, sycl::write_only, sycl::no_init);
    handler.parallel_for(range, [=](sycl::nd_item<1> item) {
      const std::uint32_t chosen = condition(in[item.get_global_id()]);
      const auto sum = sycl::reduce_over_group(item.get_group(), chosen, sycl::plus<>());
      if (item.get_group().leader())
        count[item.get_group(0)] = sum;
    });
  });
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor place(places, handler, sycl::read_write);
    handler.single_task([=] {
      std::uint32_t sum = 0;
      for (std::size_t group = 0; group < groups; ++group)
        sum += std::exchange(place[group], sum);
      place[groups] = sum;
    });
  });
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor in(input, handler, sycl::read_only);
    sycl::accessor place(places, handler, sycl::read_only);
    sycl::accessor out(output, handler, sycl::write_only);
    handler.parallel_for(range, [=](sycl::nd_item<1> item) {
      const std::int32_t value = in[item.get_global_id()];
      const std::uint32_t chosen = condition(value);
      const auto before = sycl::exclusive_scan_over_group(item.get_group(), chosen, sycl::plus<>());
      if (chosen)
        out[place[item.get_group(0)] + before] = value;
    });
  });

  const sycl::host_accessor count(places, sycl::range<1>(1), sycl::id<1>(groups), sycl::read_only);
  const sycl::host_accessor result(output, sycl::read_only);
  return {result.begin(), result.begin() + count[0]};
}

int main() {
  numbers input(parts * part_size);
  std::uint32_t seed = 77;
  for (std::int32_t &each : input) {
    seed = seed * 1664525u + 1013904223u;
    each = static_cast<std::int32_t>(seed) >> 12;
  }

  sycl::queue queue;
  sycl::buffer<std::int32_t> whole(input.data(), sycl::range<1>(input.size()));
  std::size_t kept = 0, part = 0;
  bool right = true;
  const auto check = [&](auto condition) {
    sycl::buffer<std::int32_t> input_part(whole, sycl::id<1>(part * part_size),
                                          sycl::range<1>(part_size));
    const numbers result = compact(queue, input_part, condition);
    numbers expected;
    const auto begin = input.begin() + static_cast<std::ptrdiff_t>(part++ * part_size);
    std::copy_if(begin, begin + part_size, std::back_inserter(expected), condition);
    right = right && !expected.empty() && result == expected;
    kept += result.size();
  };
  check(Negative{});
  check(Multiple{7});
  check([](std::int32_t value) { return (value & 0xF0) == 0x30; });
  std::printf("stream compaction: %zu of %zu elements kept, %s\n", kept, input.size(),
              right ? "ok" : "wrong");
  return right ? 0 : 1;
}
