// Clusters of points by Lloyd's algorithm (k-means): each point belongs to the nearest of k
// centres; then each centre moves to the mean of its points, until nothing changes. Work-groups add
// up their points in local memory with atomics. Coordinates are whole numbers, so sums do not
// depend on the order, and clusters have to be exactly those that the host finds.
#include <sycl/sycl.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr std::size_t points = 4096, k = 6, group_size = 128;

struct Centres {
  std::array<sycl::int2, k> at;

  std::uint32_t nearest(sycl::int2 point) const {
    std::uint32_t best = 0;
    int least = 0;
    for (std::uint32_t i = 0; i < k; ++i) {
      const sycl::int2 difference = point - at[i], squares = difference * difference;
      const int distance = squares.x() + squares.y();
      if (i == 0 || distance < least) {
        best = i;
        least = distance;
      }
    }
    return best;
  }
};

struct Sum {
  std::int32_t x, y, count;
};

template <sycl::access::address_space space>
void add(Sum &sum, std::int32_t x, std::int32_t y, std::int32_t count) {
  using cell = sycl::atomic_ref<std::int32_t, sycl::memory_order::relaxed,
                                sycl::memory_scope::device, space>;
  cell(sum.x) += x;
  cell(sum.y) += y;
  cell(sum.count) += count;
}

// The sums of the points in each cluster.
static std::vector<Sum> clusters(sycl::queue &queue, sycl::buffer<sycl::int2> &point_buffer,
                                 const Centres &centres) {
  std::vector<Sum> sums(k);
  sycl::buffer sum_buffer(sums);
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor point(point_buffer, handler, sycl::read_only);
    sycl::accessor total(sum_buffer, handler, sycl::read_write);
    sycl::local_accessor<Sum> partial(k, handler);
    handler.parallel_for(sycl::nd_range<1>(points, group_size), [=](sycl::nd_item<1> item) {
      const std::size_t local = item.get_local_id(0);
      if (local < k)
        partial[local] = {0, 0, 0};
      sycl::group_barrier(item.get_group());
      const sycl::int2 mine = point[item.get_global_id()];
      add<sycl::access::address_space::local_space>(partial[centres.nearest(mine)], mine.x(),
                                                    mine.y(), 1);
      sycl::group_barrier(item.get_group());
      if (local < k)
        add<sycl::access::address_space::global_space>(total[local], partial[local].x,
                                                       partial[local].y, partial[local].count);
    });
  });
  const sycl::host_accessor result(sum_buffer, sycl::read_only);
  return {result.begin(), result.end()};
}

static bool move_to_means(Centres &centres, const std::vector<Sum> &sums) {
  bool moved = false;
  for (std::size_t i = 0; i < k; ++i)
    if (sums[i].count > 0) {
      const sycl::int2 mean(sums[i].x / sums[i].count, sums[i].y / sums[i].count);
      moved = moved || sycl::any(mean != centres.at[i]);
      centres.at[i] = mean;
    }
  return moved;
}

int main() {
  // Around each of k places a cloud of points.
  std::vector<sycl::int2> input(points);
  std::uint32_t seed = 5;
  const auto random = [&](std::uint32_t limit) {
    seed = seed * 1664525u + 1013904223u;
    return static_cast<int>((seed >> 16) % limit);
  };
  for (std::size_t i = 0; i < points; ++i) {
    const int cloud = static_cast<int>(i % k);
    input[i] = {cloud * 1000 + random(700) + random(700), cloud * cloud * 300 + random(900)};
  }

  Centres centres{}, expected{};
  for (std::size_t i = 0; i < k; ++i)
    centres.at[i] = expected.at[i] = input[i * 7];

  sycl::queue queue;
  sycl::buffer point_buffer(input.data(), sycl::range<1>(points));
  int steps = 1;
  while (move_to_means(centres, clusters(queue, point_buffer, centres)) && steps < 100)
    ++steps;

  bool moved = true;
  int expected_steps = 0;
  for (; moved && expected_steps < 100; ++expected_steps) {
    std::vector<Sum> sums(k);
    for (const sycl::int2 &each : input) {
      Sum &sum = sums[expected.nearest(each)];
      sum = {sum.x + each.x(), sum.y + each.y(), sum.count + 1};
    }
    moved = move_to_means(expected, sums);
  }
  bool right = steps == expected_steps && steps > 2;
  for (std::size_t i = 0; i < k; ++i)
    right = right && sycl::all(centres.at[i] == expected.at[i]);
  std::printf("%zu clusters of %zu points: %s\n", k, points, right ? "ok" : "wrong");
  return right ? 0 : 1;
}
