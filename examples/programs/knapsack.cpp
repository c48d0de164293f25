// The knapsack problem by dynamic programming: for each item in turn, a kernel computes the
// greatest value for all capacities at once. Two rows of the table alternate, and a bit for each
// capacity and item says whether the item is taken. The last kernel reads these bits backwards and
// prints what it takes with a stream. The host tries all sets of items instead.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <utility>

constexpr int count = 14, capacity = 200;

struct Item {
  int weight, value;
};

struct Packed {
  int value, weight;
  std::uint32_t items; // one bit each
};

// All 2^14 sets.
static Packed best_of_all_sets(const Item *items) {
  Packed best{0, 0, 0};
  for (std::uint32_t set = 0; set < 1u << count; ++set) {
    Packed tried{0, 0, set};
    for (int i = 0; i < count; ++i)
      if (set >> i & 1) {
        tried.value += items[i].value;
        tried.weight += items[i].weight;
      }
    if (tried.weight <= capacity && tried.value > best.value)
      best = tried;
  }
  return best;
}

int main() {
  sycl::queue queue{sycl::property::queue::in_order()};
  Item *items = sycl::malloc_shared<Item>(count, queue);
  for (int i = 0; i < count; ++i)
    items[i] = {11 + i * 29 % 37, 20 + i * 53 % 71 + i};

  auto *taken = sycl::malloc_device<std::uint32_t>(capacity + 1, queue);
  int *rows = sycl::malloc_device<int>(2 * (capacity + 1), queue);
  int *best = rows, *next = rows + capacity + 1;
  Packed *packed = sycl::malloc_host<Packed>(1, queue);
  queue.fill(taken, 0u, capacity + 1);
  queue.fill(rows, 0, 2 * (capacity + 1));

  for (int i = 0; i < count; ++i) {
    queue.parallel_for(capacity + 1, [=](sycl::id<1> id) {
      const int limit = static_cast<int>(id[0]), weight = items[i].weight;
      const int without = best[limit];
      const int with = weight <= limit ? best[limit - weight] + items[i].value : 0;
      next[limit] = sycl::max(with, without);
      taken[limit] |= static_cast<std::uint32_t>(with > without) << i;
    });
    std::swap(best, next);
  }
  queue.submit([&](sycl::handler &handler) {
    const sycl::stream out(1024, 256, handler);
    handler.single_task([=] {
      *packed = {best[capacity], 0, 0};
      out << "items";
      for (int i = count; i-- > 0;)
        if (taken[capacity - packed->weight] >> i & 1) {
          packed->weight += items[i].weight;
          packed->items |= 1u << i;
          out << " " << i;
        }
      out << " weigh " << packed->weight << sycl::endl;
    });
  });
  queue.wait();

  const Packed expected = best_of_all_sets(items);
  int value = 0;
  for (int i = 0; i < count; ++i)
    value += packed->items >> i & 1 ? items[i].value : 0;
  const bool right =
      packed->value == expected.value && value == expected.value && packed->weight <= capacity;
  if (!right)
    std::printf("value %d, expected %d\n", packed->value, expected.value);
  sycl::free(items, queue);
  sycl::free(taken, queue);
  sycl::free(rows, queue);
  sycl::free(packed, queue);
  return right ? 0 : 1;
}
