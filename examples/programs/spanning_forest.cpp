// The minimum spanning forest of a graph by Boruvka's algorithm: each component chooses its
// lightest edge to another one, by an atomic minimum of weight and number of the edge in one
// integer, and the components grow together along these edges. With this order of the edges there
// is only one such forest; Kruskal's algorithm on the host finds the same edges.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

using number = std::uint32_t;

struct edge {
  number one, other, weight;
};

constexpr number none = ~number(0);
constexpr unsigned edge_bits = 16; // the upper half of a choice is the weight, the lower the edge

constexpr number chosen_edge(number choice) { return choice & ((1u << edge_bits) - 1); }

using sycl::buffer, sycl::handler, sycl::id, sycl::queue;
using lowest_choice =
    sycl::atomic_ref<number, sycl::memory_order::relaxed, sycl::memory_scope::device>;

static std::vector<bool> boruvka(queue &queue, number vertices,
                                 const std::vector<edge> &edge_list) {
  const sycl::range<1> all(vertices);
  buffer edges(edge_list);
  buffer<number> components(all), choices(all), parents(all);
  buffer<bool> selected(edges.get_range());
  queue.submit([&](handler &h) {
    sycl::accessor component(components, h, sycl::write_only, sycl::no_init);
    h.parallel_for(all, [=](id<1> i) { component[i] = static_cast<number>(i); });
  });
  queue.submit([&](handler &h) {
    sycl::accessor flag(selected, h, sycl::write_only, sycl::no_init);
    h.fill(flag, false);
  });

  buffer<int> joined{sycl::range(1)};
  do {
    queue.submit([&](handler &h) {
      sycl::accessor choice(choices, h, sycl::write_only, sycl::no_init);
      h.fill(choice, none);
    });
    queue.submit([&](handler &h) { // each component chooses
      sycl::accessor list(edges, h, sycl::read_only);
      sycl::accessor component(components, h, sycl::read_only);
      sycl::accessor choice(choices, h);
      h.parallel_for(edges.get_range(), [=](id<1> i) {
        const number ends[] = {component[list[i].one], component[list[i].other]};
        if (ends[0] != ends[1])
          for (number end : ends)
            lowest_choice(choice[end])
                .fetch_min(list[i].weight << edge_bits | static_cast<number>(i));
      });
    });
    queue.submit([&](handler &h) { // and gets the other one as its parent
      sycl::accessor list(edges, h, sycl::read_only);
      sycl::accessor component(components, h, sycl::read_only);
      sycl::accessor choice(choices, h, sycl::read_only);
      sycl::accessor parent(parents, h, sycl::write_only, sycl::no_init);
      sycl::accessor flag(selected, h, sycl::write_only);
      auto sum = sycl::reduction(joined, h, sycl::plus<>(),
                                 sycl::property::reduction::initialize_to_identity{});
      h.parallel_for(all, sum, [=](id<1> i, auto &count) {
        const number own = static_cast<number>(i);
        parent[i] = own;
        if (choice[i] == none)
          return;
        const edge way = list[chosen_edge(choice[i])];
        const number one = component[way.one], other = component[way.other];
        const number target = own == one ? other : one;
        // Two components may choose the same edge: one of them stays.
        if (choice[target] == choice[i] && own < target)
          return;
        parent[i] = target;
        flag[chosen_edge(choice[i])] = true;
        ++count;
      });
    });
    queue.submit([&](handler &h) { // all move to the root
      sycl::accessor component(components, h);
      sycl::accessor parent(parents, h, sycl::read_only);
      h.parallel_for(all, [=](id<1> i) {
        number root = component[i];
        while (parent[root] != root)
          root = parent[root];
        component[i] = root;
      });
    });
  } while (sycl::host_accessor(joined)[0] > 0);

  sycl::host_accessor flags(selected, sycl::read_only);
  return {flags.begin(), flags.end()};
}

static std::vector<bool> kruskal(number vertices, const std::vector<edge> &edges) {
  std::vector<std::size_t> order(edges.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    return edges[left].weight != edges[right].weight ? edges[left].weight < edges[right].weight
                                                     : left < right;
  });
  std::vector<number> parent(vertices);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](number vertex) {
    while (parent[vertex] != vertex)
      vertex = parent[vertex] = parent[parent[vertex]];
    return vertex;
  };
  std::vector<bool> selected(edges.size());
  for (std::size_t i : order)
    if (number one = root(edges[i].one), other = root(edges[i].other); one != other) {
      parent[one] = other;
      selected[i] = true;
    }
  return selected;
}

int main() {
  constexpr number vertices = 2000;
  std::mt19937 engine(1926);
  std::vector<edge> edges(3500);
  for (edge &each : edges)
    each = {number(engine() % vertices), number(engine() % vertices), number(engine() % 5000)};

  queue queue;
  const std::vector<bool> forest = boruvka(queue, vertices, edges);
  const bool right = forest == kruskal(vertices, edges);
  std::printf("minimum spanning forest of %d edges: %s\n",
              int(std::count(forest.begin(), forest.end(), true)), right ? "ok" : "wrong");
  return right ? 0 : 1;
}
