// Radix sort of pairs of keys and values, four bits a pass, least significant first. A pass has
// three kernels: each work-group counts the digits of its block in local memory; one work-group
// turns the counts of all blocks into positions by an exclusive scan; and each work-group moves its
// pairs, one digit at a time, so that pairs with the same digit keep their order. Signed keys are
// sorted as unsigned numbers with the sign bit inverted.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

using std::size_t;

constexpr size_t group_size = 128, bits = 4, digits = size_t(1) << bits;

struct pair {
  std::int32_t key;
  std::uint32_t value;
};

static size_t digit_of(pair each, unsigned shift) {
  return ((static_cast<std::uint32_t>(each.key) ^ 0x80000000u) >> shift) & (digits - 1);
}

// The counts are stored by digit, then by block: their scan gives the positions.
static void count_digits(sycl::handler &handler, sycl::buffer<pair> &from,
                         sycl::buffer<unsigned> &counts, unsigned shift) {
  const size_t size = from.size(), blocks = counts.size() / digits;
  sycl::accessor pairs(from, handler, sycl::read_only);
  sycl::accessor count(counts, handler, sycl::write_only, sycl::no_init);
  sycl::local_accessor<unsigned> bins(sycl::range(digits), handler);
  handler.parallel_for(sycl::nd_range<1>(blocks * group_size, group_size), [=](auto item) {
    const size_t i = item.get_global_id(0), lane = item.get_local_id(0);
    if (lane < digits)
      bins[lane] = 0;
    sycl::group_barrier(item.get_group());
    if (i < size) {
      sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::work_group,
                       sycl::access::address_space::local_space>
          bin(bins[digit_of(pairs[i], shift)]);
      ++bin;
    }
    sycl::group_barrier(item.get_group());
    if (lane < digits)
      count[lane * blocks + item.get_group(0)] = bins[lane];
  });
}

static void scan(sycl::handler &handler, sycl::buffer<unsigned> &counts) {
  const size_t size = counts.size();
  sycl::accessor count(counts, handler, sycl::read_write);
  handler.parallel_for(sycl::nd_range<1>(group_size, group_size), [=](sycl::nd_item<1> item) {
    unsigned *first = count.get_multi_ptr<sycl::access::decorated::no>().get();
    sycl::joint_exclusive_scan(item.get_group(), first, first + size, first, sycl::plus<>());
  });
}

static void move(sycl::handler &handler, sycl::buffer<pair> &from, sycl::buffer<pair> &to,
                 sycl::buffer<unsigned> &positions, unsigned shift) {
  const size_t size = from.size(), blocks = positions.size() / digits;
  sycl::accessor pairs(from, handler, sycl::read_only);
  sycl::accessor moved(to, handler, sycl::write_only, sycl::no_init);
  sycl::accessor position(positions, handler, sycl::read_only);
  handler.parallel_for(sycl::nd_range<1>(blocks * group_size, group_size), [=](auto item) {
    const size_t i = item.get_global_id(0);
    const pair own = i < size ? pairs[i] : pair{};
    const size_t own_digit = i < size ? digit_of(own, shift) : digits;
    for (size_t digit = 0; digit < digits; ++digit) {
      const unsigned mine = own_digit == digit;
      const auto before =
          sycl::exclusive_scan_over_group(item.get_group(), mine, sycl::plus<unsigned>());
      if (mine)
        moved[position[digit * blocks + item.get_group(0)] + before] = own;
    }
  });
}

int main() {
  std::mt19937 engine(99);
  std::vector<pair> pairs(5000);
  for (size_t i = 0; i < pairs.size(); ++i)
    pairs[i] = {static_cast<std::int32_t>(engine()) >> (i % 3 * 12), static_cast<unsigned>(i)};
  std::vector<pair> expected = pairs;
  // The values number the pairs: among those with the same key they stay ascending.
  std::sort(expected.begin(), expected.end(), [](pair left, pair right) {
    return std::tie(left.key, left.value) < std::tie(right.key, right.value);
  });

  const size_t blocks = (pairs.size() + group_size - 1) / group_size;
  sycl::queue queue;
  {
    sycl::buffer<pair> now(pairs.data(), pairs.size()), next(sycl::range<1>(pairs.size()));
    sycl::buffer<unsigned> counts(sycl::range<1>(blocks * digits));
    for (unsigned shift = 0; shift < 32; shift += bits) {
      queue.submit([&](sycl::handler &handler) { count_digits(handler, now, counts, shift); });
      queue.submit([&](sycl::handler &handler) { scan(handler, counts); });
      queue.submit([&](sycl::handler &handler) { move(handler, now, next, counts, shift); });
      std::swap(now, next);
    }
  } // The number of passes is even: the result is in the buffer that writes back.

  const bool right =
      std::equal(pairs.begin(), pairs.end(), expected.begin(), [](pair left, pair right) {
        return left.key == right.key && left.value == right.value;
      });
  std::printf("radix sort of %zu pairs: %s\n", pairs.size(), right ? "ok" : "wrong");
  return right ? 0 : 1;
}
