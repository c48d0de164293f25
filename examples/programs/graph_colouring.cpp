// Colours a graph so that neighbours differ, by the algorithm of Jones and Plassmann: vertices have
// random priorities, and in each round those whose priority is greater than that of all uncoloured
// neighbours take the least colour that no neighbour has. The priorities come from a hash of the
// vertex, so that the result is that of the greedy algorithm in the order of the priorities.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <random>
#include <set>
#include <vector>

constexpr int vertices = 1024, uncoloured = -1;
constexpr int most_colours = 64; // the colours of the neighbours are a set of bits

using list = sycl::buffer<int>;

static std::uint32_t priority(int vertex) {
  std::uint32_t hash = static_cast<std::uint32_t>(vertex) * 0x9e3779b9u;
  hash ^= hash >> 16;
  hash *= 0x85ebca6bu;
  return hash ^ hash >> 13; // each step can be inverted: no two vertices have the same
}

// Returns how many vertices are still uncoloured.
static int colour_some(sycl::queue &queue, list &offsets, list &targets, list &from, list &to) {
  int left = 0;
  {
    sycl::buffer<int> count(&left, 1);
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor start(offsets, handler, sycl::read_only);
      sycl::accessor target(targets, handler, sycl::read_only);
      sycl::accessor old(from, handler, sycl::read_only);
      sycl::accessor now(to, handler, sycl::write_only, sycl::no_init);
      auto sum = sycl::reduction(count, handler, 0, sycl::plus<int>());
      handler.parallel_for(sycl::range<1>(vertices), sum, [=](sycl::id<1> id, auto &remaining) {
        const int vertex = static_cast<int>(id[0]);
        now[vertex] = old[vertex];
        if (old[vertex] != uncoloured)
          return;
        std::uint64_t used = 0;
        for (int i = start[vertex]; i < start[vertex + 1]; ++i) {
          const int other = target[i];
          if (old[other] != uncoloured)
            used |= std::uint64_t(1) << old[other];
          else if (priority(other) > priority(vertex)) {
            remaining += 1;
            return;
          }
        }
        now[vertex] = static_cast<int>(sycl::ctz(~used));
      });
    });
  } // copies the number back
  return left;
}

static std::vector<int> greedy(const std::vector<std::set<int>> &neighbours) {
  std::vector<int> order(vertices), colours(vertices, uncoloured);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [](int left, int right) { return priority(left) > priority(right); });
  for (int vertex : order) {
    std::set<int> used;
    for (int other : neighbours[vertex])
      used.insert(colours[other]);
    for (colours[vertex] = 0; used.count(colours[vertex]);)
      ++colours[vertex];
  }
  return colours;
}

int main() {
  std::mt19937 engine(4);
  std::vector<std::set<int>> neighbours(vertices);
  for (int edge = 0; edge < 8 * vertices; ++edge) {
    const int one = static_cast<int>(engine() % vertices);
    const int other = static_cast<int>(engine() % (edge % 2 ? vertices : 32 + one) % vertices);
    if (one != other) {
      neighbours[one].insert(other);
      neighbours[other].insert(one);
    }
  }
  std::vector<int> starts{0}, ends;
  std::size_t most_neighbours = 0;
  for (const std::set<int> &each : neighbours) {
    ends.insert(ends.end(), each.begin(), each.end());
    starts.push_back(static_cast<int>(ends.size()));
    most_neighbours = std::max(most_neighbours, each.size());
  }

  sycl::queue queue;
  list offsets(starts), targets(ends.begin(), ends.end());
  const std::vector<int> nothing(vertices, uncoloured);
  list now(nothing.begin(), nothing.end()), next{sycl::range<1>(vertices)};
  int rounds = 0;
  for (int left = vertices; left > 0; ++rounds) {
    left = colour_some(queue, offsets, targets, now, next);
    std::swap(now, next);
  }

  sycl::host_accessor colour(now, sycl::read_only);
  const std::vector<int> expected = greedy(neighbours);
  const int colours = *std::max_element(expected.begin(), expected.end()) + 1;
  const bool right = colours < most_colours && rounds < vertices / 8 &&
                     std::equal(colour.cbegin(), colour.cend(), expected.begin());
  std::printf("graph colouring: %d colours for up to %zu neighbours: %s\n", colours,
              most_neighbours, right ? "ok" : "wrong");
  return right ? 0 : 1;
}
