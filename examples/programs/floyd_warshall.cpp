// All shortest paths by the algorithm of Floyd and Warshall, in tiles. For each tile on the
// diagonal, three kernels update the matrix of distances: the tile itself, the tiles in its row and
// column, which depend on it, and all others, which depend on those. Each work-group holds its tile
// and the two that it depends on in local memory. Dijkstra's algorithm on the host gives the same
// distances.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <functional>
#include <queue>
#include <random>
#include <utility>
#include <vector>

constexpr std::size_t tile = 16, tiles = 6, vertices = tile * tiles;
constexpr int unreachable = 1 << 28; // twice this is still a number

using matrix_access = sycl::accessor<int, 2, sycl::access_mode::read_write>;
using local_tile = sycl::local_accessor<int, 2>;

enum class phase { diagonal, cross, rest };

template <phase Phase> class relax_tiles {
  matrix_access distance;
  local_tile own, left, above;
  std::size_t pivot; // the tile on the diagonal

public:
  relax_tiles(sycl::buffer<int, 2> &distances, std::size_t pivot, sycl::handler &handler)
      : distance(distances, handler), own({tile, tile}, handler), left({tile, tile}, handler),
        above({tile, tile}, handler), pivot(pivot) {}

  static sycl::range<2> groups() {
    switch (Phase) {
    case phase::diagonal:
      return {1, 1};
    case phase::cross:
      return {2, tiles};
    case phase::rest:
      return {tiles, tiles};
    }
  }

  void operator()(sycl::nd_item<2> item) const {
    sycl::id<2> place(pivot, pivot);
    if constexpr (Phase == phase::cross)
      place[item.get_group(0)] = item.get_group(1);
    if constexpr (Phase == phase::rest)
      place = item.get_group().get_group_id();
    // What earlier phases have done is left out; the whole group leaves together.
    if (Phase == phase::cross && place == sycl::id<2>(pivot, pivot))
      return;
    if (Phase == phase::rest && (place[0] == pivot || place[1] == pivot))
      return;

    const std::size_t y = item.get_local_id(0), x = item.get_local_id(1);
    int &here = distance[place[0] * tile + y][place[1] * tile + x];
    own[y][x] = here;
    left[y][x] = distance[place[0] * tile + y][pivot * tile + x];
    above[y][x] = distance[pivot * tile + y][place[1] * tile + x];
    // In the first phases, tiles that are read change too.
    const local_tile &row = place[1] == pivot ? own : left;
    const local_tile &column = place[0] == pivot ? own : above;
    for (std::size_t through = 0; through < tile; ++through) {
      sycl::group_barrier(item.get_group());
      const int detour = row[y][through] + column[through][x];
      sycl::group_barrier(item.get_group());
      own[y][x] = sycl::min(own[y][x], detour);
    }
    here = own[y][x];
  }
};

template <phase Phase>
void relax(sycl::queue &queue, sycl::buffer<int, 2> &distances, std::size_t pivot) {
  queue.submit([&](sycl::handler &handler) {
    const sycl::range<2> local(tile, tile);
    handler.parallel_for(sycl::nd_range<2>(relax_tiles<Phase>::groups() * local, local),
                         relax_tiles<Phase>(distances, pivot, handler));
  });
}

static std::vector<int> dijkstra(const std::vector<int> &lengths, std::size_t start) {
  std::vector<int> distance(vertices, unreachable);
  using entry = std::pair<int, std::size_t>;
  std::priority_queue<entry, std::vector<entry>, std::greater<>> waiting;
  distance[start] = 0;
  waiting.push({0, start});
  while (!waiting.empty()) {
    const auto [length, vertex] = waiting.top();
    waiting.pop();
    for (std::size_t next = 0; next < vertices; ++next)
      if (int total = length + lengths[vertex * vertices + next]; total < distance[next]) {
        distance[next] = total;
        waiting.push({total, next});
      }
  }
  return distance;
}

int main() {
  std::mt19937 engine(17);
  std::vector<int> lengths(vertices * vertices, unreachable);
  for (std::size_t from = 0; from < vertices; ++from) {
    lengths[from * vertices + from] = 0;
    for (int edge = 0; edge < 2; ++edge)
      if (std::size_t to = engine() % vertices; to != from)
        lengths[from * vertices + to] = static_cast<int>(engine() % 100 + 1);
  }

  std::vector<int> shortest = lengths;
  {
    sycl::queue queue;
    sycl::buffer<int, 2> distances(shortest.data(), {vertices, vertices});
    for (std::size_t pivot = 0; pivot < tiles; ++pivot) {
      relax<phase::diagonal>(queue, distances, pivot);
      relax<phase::cross>(queue, distances, pivot);
      relax<phase::rest>(queue, distances, pivot);
    }
  }

  int wrong = 0;
  for (std::size_t from = 0; from < vertices; ++from) {
    const std::vector<int> expected = dijkstra(lengths, from);
    for (std::size_t to = 0; to < vertices; ++to)
      wrong += sycl::min(shortest[from * vertices + to], unreachable) != expected[to];
  }
  std::printf("Floyd-Warshall: %d of %zu distances wrong\n", wrong, vertices * vertices);
  return wrong != 0;
}
