// Gambler's ruin: a walk on the numbers from 0 to `goal` steps up with probability p until it
// reaches an end. Each work-item walks by itself, with random numbers that are a hash of walk and
// step. Work-groups count arrivals and steps in local memory with atomics before they add to the
// total. The counts have to equal the host's, and the frequency has to agree with theory.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>

constexpr int goal = 12, start = 5;
constexpr double p = 0.53;
constexpr std::size_t walks = 16384, local = 128;

// Stafford's mix of bits.
static std::uint64_t hash(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

struct Walk {
  bool reached_goal;
  std::uint32_t steps;
};

static Walk walk(std::uint64_t number) {
  constexpr auto threshold = static_cast<std::uint32_t>(p * 4294967296.0);
  int place = start;
  std::uint32_t steps = 0;
  for (; place != 0 && place != goal; ++steps)
    place += hash(number << 32 | steps) >> 32 < threshold ? 1 : -1;
  return {place == goal, steps};
}

struct Totals {
  std::uint32_t arrivals, steps, longest;
};

template <sycl::memory_scope scope, sycl::access::address_space space>
using counter = sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed, scope, space>;

int main() {
  using sycl::access::address_space;
  sycl::queue queue;
  Totals *totals = sycl::malloc_shared<Totals>(1, queue);
  *totals = {};
  queue
      .submit([&](sycl::handler &handler) {
        sycl::local_accessor<Totals, 0> shared(handler);
        handler.parallel_for(sycl::nd_range<1>(walks, local), [=](sycl::nd_item<1> item) {
          Totals &sums = shared;
          if (item.get_group().leader())
            sums = {};
          sycl::group_barrier(item.get_group());

          const Walk result = walk(item.get_global_linear_id());
          using local_counter = counter<sycl::memory_scope::work_group, address_space::local_space>;
          if (result.reached_goal)
            ++local_counter(sums.arrivals);
          local_counter(sums.steps) += result.steps;
          local_counter(sums.longest).fetch_max(result.steps);
          sycl::group_barrier(item.get_group());

          if (item.get_group().leader()) {
            using global_counter = counter<sycl::memory_scope::device, address_space::global_space>;
            global_counter(totals->arrivals).fetch_add(sums.arrivals);
            global_counter(totals->steps).fetch_add(sums.steps);
            global_counter(totals->longest).fetch_max(sums.longest);
          }
        });
      })
      .wait();
  const Totals found = *totals;
  sycl::free(totals, queue);

  Totals expected{};
  for (std::size_t i = 0; i < walks; ++i) {
    const Walk each = walk(i);
    expected.arrivals += each.reached_goal;
    expected.steps += each.steps;
    expected.longest = each.steps > expected.longest ? each.steps : expected.longest;
  }
  const double odds = (1 - p) / p;
  const double probability = (1 - std::pow(odds, start)) / (1 - std::pow(odds, goal));
  const double error = std::sqrt(probability * (1 - probability) / walks);
  const bool right = found.arrivals == expected.arrivals && found.steps == expected.steps &&
                     found.longest == expected.longest &&
                     std::fabs(double(found.arrivals) / walks - probability) < 4 * error;
  std::printf("%u of %zu walks reach the goal: %s\n", found.arrivals, walks,
              right ? "ok" : "wrong");
  return right ? 0 : 1;
}
