// Pairs of close particles by a cell list. Cells are as large as the distance, so that neighbours
// of a particle are in its cell or in the eight around it. The list is made by counting: how many
// particles a cell has, a scan of these numbers, and the particles in the order of their cells.
// Then a hierarchical kernel has a work-group for each cell, with as many logical work-items as
// particles.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <random>
#include <vector>

constexpr int side = 12, cells = side * side;
constexpr std::size_t particles = 1500;
constexpr float reach = 1.0f / side;

using point = sycl::float2;
using sycl::buffer, sycl::handler, sycl::range;
using counter = sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>;

static int cell_of(point p) {
  const sycl::int2 place = sycl::min(sycl::floor(p / reach).convert<int>(), sycl::int2(side - 1));
  return place.y() * side + place.x();
}

static bool close(point one, point other) {
  const point between = one - other;
  return sycl::dot(between, between) < reach * reach;
}

// Cell c has the particles from starts[c] to before starts[c + 1] of the sorted ones.
static void sort(sycl::queue &queue, buffer<point> &points, buffer<point> &sorted,
                 buffer<int> &starts) {
  buffer<int> counts{range<1>(cells)}, positions{range<1>(cells)};
  queue.submit([&](handler &h) {
    sycl::accessor count(counts, h, sycl::write_only, sycl::no_init);
    h.fill(count, 0);
  });
  queue.submit([&](handler &h) {
    sycl::accessor p(points, h, sycl::read_only);
    sycl::accessor count(counts, h);
    h.parallel_for(points.get_range(), [=](sycl::id<1> i) { ++counter(count[cell_of(p[i])]); });
  });
  queue.submit([&](handler &h) { // one work-item for each of the few cells
    sycl::accessor count(counts, h, sycl::read_only);
    sycl::accessor start(starts, h, sycl::write_only, sycl::no_init);
    sycl::accessor position(positions, h, sycl::write_only, sycl::no_init);
    h.parallel_for(sycl::nd_range<1>(cells, cells), [=](sycl::nd_item<1> item) {
      const int own = count[item.get_global_id()];
      const int before = sycl::exclusive_scan_over_group(item.get_group(), own, sycl::plus<>());
      start[item.get_global_id()] = position[item.get_global_id()] = before;
      if (item.get_global_id(0) + 1 == cells)
        start[cells] = before + own;
    });
  });
  queue.submit([&](handler &h) {
    sycl::accessor p(points, h, sycl::read_only);
    sycl::accessor position(positions, h);
    sycl::accessor target(sorted, h, sycl::write_only, sycl::no_init);
    h.parallel_for(points.get_range(),
                   [=](sycl::id<1> i) { target[counter(position[cell_of(p[i])])++] = p[i]; });
  });
}

static long count_pairs(sycl::queue &queue, buffer<point> &sorted, buffer<int> &starts) {
  std::vector<int> per_cell(cells);
  buffer<int> results(per_cell);
  queue.submit([&](handler &h) {
    sycl::accessor p(sorted, h, sycl::read_only);
    sycl::accessor start(starts, h, sycl::read_only);
    sycl::accessor result(results, h, sycl::write_only, sycl::no_init);
    h.parallel_for_work_group<class close_pairs>(
        range<1>(cells), range<1>(16), [=](sycl::group<1> group) {
          const int cell = static_cast<int>(group.get_group_id(0));
          const int first = start[cell], size = start[cell + 1] - first;
          int pairs = 0; // shared by the work-items
          if (size > 0)
            group.parallel_for_work_item(range<1>(size), [&](sycl::h_item<1> item) {
              const point own = p[first + item.get_logical_local_id(0)];
              int close_ones = 0;
              for (int y = cell / side - 1; y <= cell / side + 1; ++y)
                for (int x = cell % side - 1; x <= cell % side + 1; ++x)
                  if (y >= 0 && y < side && x >= 0 && x < side)
                    for (int i = start[y * side + x]; i < start[y * side + x + 1]; ++i)
                      close_ones += close(own, p[i]);
              sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::work_group>(
                  pairs) += close_ones - 1; // not with itself
            });
          result[cell] = pairs;
        });
  });
  sycl::host_accessor result(results, sycl::read_only);
  long sum = 0;
  for (int pairs : result)
    sum += pairs;
  return sum / 2; // each pair was counted from both sides
}

int main() {
  std::mt19937 engine(8);
  std::uniform_real_distribution<float> uniform(0, 1);
  std::vector<point> points(particles);
  for (point &each : points)
    each = point(uniform(engine), uniform(engine) * uniform(engine)); // denser below

  sycl::queue queue;
  buffer unsorted(points);
  unsorted.set_write_back(false);
  buffer<point> sorted{range<1>(particles)};
  buffer<int> starts{range<1>(cells + 1)};
  sort(queue, unsorted, sorted, starts);
  const long pairs = count_pairs(queue, sorted, starts);

  long expected = 0;
  for (std::size_t i = 0; i < particles; ++i)
    for (std::size_t k = 0; k < i; ++k)
      expected += close(points[i], points[k]);
  std::printf("cell list: %ld close pairs: %s\n", pairs, pairs == expected ? "ok" : "wrong");
  return pairs == expected ? 0 : 1;
}
