// Counts the triangles of a graph. Edges point from the vertex with fewer neighbours to that with
// more, so that each triangle is found once: at its first edge, whose ends have the third vertex as
// a common neighbour. A sub-group shares an edge: each of its work-items looks for some neighbours
// of one end among those of the other by binary search. A stream prints the number from the device.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <bitset>
#include <cstdio>
#include <random>
#include <utility>
#include <vector>

constexpr int vertices = 300;

using row = std::bitset<vertices>;

static std::vector<row> make_graph() {
  std::mt19937 engine(31);
  std::vector<row> adjacent(vertices);
  for (int edge = 0; edge < 4000; ++edge) {
    // The product prefers small numbers: some vertices have very many neighbours.
    const unsigned one = engine() % vertices * (engine() % vertices) / vertices;
    const unsigned other = engine() % vertices;
    if (one != other)
      adjacent[one][other] = adjacent[other][one] = true;
  }
  return adjacent;
}

struct edge {
  int from, to;
};

static bool contains(const int *first, const int *last, int wanted) {
  while (first < last) {
    const int *middle = first + (last - first) / 2;
    if (*middle == wanted)
      return true;
    if (*middle < wanted)
      first = middle + 1;
    else
      last = middle;
  }
  return false;
}

int main() {
  const std::vector<row> adjacent = make_graph();
  std::vector<int> offsets{0}, targets;
  std::vector<edge> edges;
  for (int from = 0; from < vertices; ++from) {
    for (int to = 0; to < vertices; ++to)
      if (adjacent[from][to] &&
          std::pair(adjacent[from].count(), from) < std::pair(adjacent[to].count(), to)) {
        targets.push_back(to);
        edges.push_back({from, to});
      }
    offsets.push_back(static_cast<int>(targets.size()));
  }

  sycl::queue queue;
  int *starts = sycl::malloc_shared<int>(offsets.size(), queue);
  int *neighbours = sycl::malloc_shared<int>(targets.size(), queue);
  edge *list = sycl::malloc_shared<edge>(edges.size(), queue);
  std::copy(offsets.begin(), offsets.end(), starts);
  std::copy(targets.begin(), targets.end(), neighbours);
  std::copy(edges.begin(), edges.end(), list);
  unsigned *total = sycl::malloc_shared<unsigned>(1, queue);
  *total = 0;

  const std::size_t size = edges.size();
  sycl::event counted = queue.submit([&](sycl::handler &handler) {
    handler.parallel_for(sycl::nd_range<1>(64 * 32, 64), [=](sycl::nd_item<1> item) {
      const sycl::sub_group sub_group = item.get_sub_group();
      const std::size_t sub_groups = item.get_group_range(0) * sub_group.get_group_linear_range();
      std::size_t i =
          item.get_group(0) * sub_group.get_group_linear_range() + sub_group.get_group_linear_id();
      unsigned triangles = 0;
      for (; i < size; i += sub_groups) {
        const edge own = list[i];
        const int step = static_cast<int>(sub_group.get_local_linear_range());
        int k = starts[own.from] + static_cast<int>(sub_group.get_local_linear_id());
        for (; k < starts[own.from + 1]; k += step)
          triangles +=
              contains(neighbours + starts[own.to], neighbours + starts[own.to + 1], neighbours[k]);
      }
      triangles = sycl::reduce_over_group(sub_group, triangles, sycl::plus<>());
      if (sub_group.leader())
        sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::device,
                         sycl::access::address_space::global_space>(*total)
            .fetch_add(triangles);
    });
  });
  queue
      .submit([&](sycl::handler &handler) {
        handler.depends_on(counted);
        sycl::stream out(256, 64, handler);
        handler.single_task(
            [=] { out << *total << " triangles in " << size << " edges" << sycl::endl; });
      })
      .wait();

  // Each triangle is counted at its three edges.
  std::size_t three_times = 0;
  for (edge each : edges)
    three_times += (adjacent[each.from] & adjacent[each.to]).count();
  const bool right = 3 * std::size_t(*total) == three_times;
  sycl::free(starts, queue);
  sycl::free(neighbours, queue);
  sycl::free(list, queue);
  sycl::free(total, queue);
  return right ? 0 : 1;
}
