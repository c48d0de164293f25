// Breadth-first search in a graph stored as compressed sparse rows, level by level. A kernel visits
// the neighbours of all vertices of the frontier: of the work-items that reach a new vertex, the
// one whose atomic exchange succeeds becomes its parent and appends it to the next frontier.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstdio>
#include <queue>
#include <random>
#include <utility>
#include <vector>

struct graph {
  std::vector<int> offsets, targets; // the neighbours of v: targets[offsets[v]], and so on

  int vertices() const { return static_cast<int>(offsets.size()) - 1; }
};

constexpr int unreached = -1;

template <typename T>
using device_atomic = sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::device,
                                       sycl::access::address_space::global_space>;

// A grid of streets with some long connections; the last two rows are not connected to the others.
static graph make_graph(int side) {
  std::mt19937 engine(11);
  std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(side * side));
  const auto connect = [&](int one, int other) {
    neighbours[one].push_back(other);
    neighbours[other].push_back(one);
  };
  for (int v = 0; v < side * side; ++v) {
    const int row = v / side, column = v % side;
    if (column + 1 < side && engine() % 8)
      connect(v, v + 1);
    if (row + 1 < side && row + 3 != side && engine() % 8)
      connect(v, v + side);
  }
  for (int extra = 0; extra < side / 8; ++extra)
    connect(static_cast<int>(engine() % (side * (side - 2))),
            static_cast<int>(engine() % (side * (side - 2))));
  graph result;
  result.offsets.push_back(0);
  for (const std::vector<int> &each : neighbours) {
    result.targets.insert(result.targets.end(), each.begin(), each.end());
    result.offsets.push_back(static_cast<int>(result.targets.size()));
  }
  return result;
}

static std::vector<int> levels_on_the_host(const graph &graph, int start) {
  std::vector<int> level(graph.vertices(), unreached);
  std::queue<int> waiting;
  level[start] = 0;
  for (waiting.push(start); !waiting.empty(); waiting.pop()) {
    const int vertex = waiting.front();
    for (int edge = graph.offsets[vertex]; edge < graph.offsets[vertex + 1]; ++edge)
      if (int next = graph.targets[edge]; level[next] == unreached) {
        level[next] = level[vertex] + 1;
        waiting.push(next);
      }
  }
  return level;
}

int main() {
  const graph streets = make_graph(48);
  const int vertices = streets.vertices(), start = 100;

  sycl::queue queue;
  int *offsets = sycl::malloc_device<int>(streets.offsets.size(), queue);
  int *targets = sycl::malloc_device<int>(streets.targets.size(), queue);
  int *parents = sycl::malloc_shared<int>(vertices, queue);
  int *levels = sycl::malloc_shared<int>(vertices, queue);
  int *frontier = sycl::malloc_shared<int>(vertices, queue);
  int *next = sycl::malloc_shared<int>(vertices, queue);
  int *next_size = sycl::malloc_host<int>(1, queue);
  queue.copy(streets.offsets.data(), offsets, streets.offsets.size());
  queue.copy(streets.targets.data(), targets, streets.targets.size());
  queue.fill(parents, unreached, vertices);
  queue.fill(levels, unreached, vertices);
  queue.wait();

  frontier[0] = parents[start] = start;
  levels[start] = 0;
  std::size_t size = 1;
  for (int level = 1; size > 0; ++level) {
    *next_size = 0;
    queue.parallel_for(sycl::range<1>(size), [=](sycl::id<1> i) {
      const int vertex = frontier[i];
      for (int edge = offsets[vertex]; edge < offsets[vertex + 1]; ++edge) {
        const int target = targets[edge];
        int expected = unreached;
        if (!device_atomic<int>(parents[target]).compare_exchange_strong(expected, vertex))
          continue;
        levels[target] = level;
        next[device_atomic<int>(*next_size).fetch_add(1)] = target;
      }
    });
    queue.wait();
    size = static_cast<std::size_t>(*next_size);
    std::swap(frontier, next);
  }

  // Parents differ from run to run, but each is a neighbour one level above.
  const std::vector<int> expected = levels_on_the_host(streets, start);
  int wrong = 0, reached = 0;
  for (int vertex = 0; vertex < vertices; ++vertex) {
    wrong += levels[vertex] != expected[vertex];
    if (expected[vertex] <= 0)
      continue;
    ++reached;
    const int *first = &streets.targets[streets.offsets[vertex]];
    const int *last = first + streets.offsets[vertex + 1] - streets.offsets[vertex];
    wrong += expected[parents[vertex]] != expected[vertex] - 1;
    wrong += std::find(first, last, parents[vertex]) == last;
  }
  for (int *memory : {offsets, targets, parents, levels, frontier, next, next_size})
    sycl::free(memory, queue);
  std::printf("breadth-first search: %d vertices reached, %d wrong\n", reached, wrong);
  return wrong != 0;
}
