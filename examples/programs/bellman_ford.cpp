// Shortest paths with negative lengths by the algorithm of Bellman and Ford: all edges at once
// lower the distances of their ends with atomic minima, until nothing changes. If something still
// changes after as many rounds as there are vertices, there is a cycle of negative length. Kernels
// tell the host through memory of the host. The graphs have negative edges but known shortest
// paths: lengths that are not negative plus the difference of a height at both ends.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <functional>
#include <optional>
#include <queue>
#include <random>
#include <utility>
#include <vector>

struct edge {
  int from, to, length;
};

constexpr int vertices = 400;
constexpr int far = 1 << 30;

// The distances from vertex 0, or nothing if there is a cycle of negative length.
static std::optional<std::vector<int>> shortest(sycl::queue &queue,
                                                const std::vector<edge> &edges) {
  const sycl::usm_allocator<edge, sycl::usm::alloc::shared> edge_allocator(queue);
  const sycl::usm_allocator<int, sycl::usm::alloc::shared> allocator(queue);
  std::vector<edge, decltype(edge_allocator)> shared_edges(edges.begin(), edges.end(),
                                                           edge_allocator);
  std::vector<int, decltype(allocator)> distances(vertices, far, allocator);
  distances[0] = 0;
  bool *changed = sycl::malloc_host<bool>(1, queue);

  int rounds = 0;
  do {
    *changed = false;
    queue
        .parallel_for(
            sycl::range<1>(edges.size()),
            [=, edge_list = shared_edges.data(), distance = distances.data()](auto item) {
              const edge own = edge_list[item];
              using atomic =
                  sycl::atomic_ref<int, sycl::memory_order::acq_rel, sycl::memory_scope::device>;
              const int start = atomic(distance[own.from]).load();
              if (start == far)
                return;
              const int length = start + own.length;
              if (atomic(distance[own.to]).fetch_min(length) > length)
                *changed = true;
            })
        .wait();
  } while (*changed && ++rounds < vertices);

  const bool settled = !*changed;
  sycl::free(changed, queue);
  if (!settled)
    return std::nullopt;
  return std::vector<int>(distances.begin(), distances.end());
}

static std::vector<int> dijkstra(const std::vector<edge> &edges) {
  std::vector<std::vector<edge>> leaving(vertices);
  for (const edge &each : edges)
    leaving[each.from].push_back(each);
  std::vector<int> distance(vertices, far);
  std::priority_queue<std::pair<int, int>, std::vector<std::pair<int, int>>, std::greater<>>
      waiting;
  distance[0] = 0;
  waiting.emplace(0, 0);
  while (!waiting.empty()) {
    const auto [length, vertex] = waiting.top();
    waiting.pop();
    for (const edge &each : leaving[vertex])
      if (length + each.length < distance[each.to]) {
        distance[each.to] = length + each.length;
        waiting.emplace(distance[each.to], each.to);
      }
  }
  return distance;
}

int main() {
  std::mt19937 engine(23);
  std::vector<int> height(vertices);
  for (int &each : height)
    each = static_cast<int>(engine() % 200);
  height[0] = 0;

  std::vector<edge> positive, edges;
  for (int i = 0; i < 3 * vertices; ++i) {
    const int from = static_cast<int>(engine() % vertices),
              to = static_cast<int>(engine() % vertices);
    positive.push_back({from, to, static_cast<int>(engine() % 50)});
    edges.push_back({from, to, positive.back().length + height[to] - height[from]});
  }
  std::vector<int> expected = dijkstra(positive);
  for (int vertex = 0; vertex < vertices; ++vertex)
    if (expected[vertex] != far)
      expected[vertex] += height[vertex];

  sycl::queue queue;
  bool right = shortest(queue, edges) == expected;

  // A detour from a vertex that can be reached and back, shorter by one than nothing.
  int reached = 1;
  while (expected[reached] == far)
    ++reached;
  edges.push_back({reached, 0, -expected[reached] - 1});
  right = right && !shortest(queue, edges);

  int negative = 0;
  for (const edge &each : edges)
    negative += each.length < 0;
  std::printf("Bellman-Ford with %d negative edges: %s\n", negative, right ? "ok" : "wrong");
  return right ? 0 : 1;
}
