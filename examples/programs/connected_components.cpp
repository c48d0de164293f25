// Connected components of a graph by propagation of labels. At the beginning each vertex has its
// own number; along each edge, both ends take the smaller label, and "pointer jumping" replaces
// labels by the label of the vertex that they name. When a pass over the edges changes nothing,
// vertices have the same label if and only if they are connected.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

using edge = sycl::vec<int, 2>;
using atomic_label = sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>;

class propagation {
public:
  propagation(sycl::queue &queue, std::size_t vertices, const std::vector<edge> &edges)
      : queue(queue), labels(sycl::range<1>(vertices)), edges(edges.data(), edges.size()) {}

  std::vector<int> components() {
    start();
    rounds = 0;
    do {
      jump();
      ++rounds;
    } while (propagate());
    sycl::host_accessor label(labels, sycl::read_only);
    return {label.begin(), label.end()};
  }

  int rounds = 0;

private:
  sycl::queue queue;
  sycl::buffer<int> labels;
  sycl::buffer<edge> edges;

  void start() {
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor label(labels, handler, sycl::write_only, sycl::no_init);
      handler.parallel_for<class initial_labels>(labels.get_range(), [=](sycl::id<1> vertex) {
        label[vertex] = static_cast<int>(vertex);
      });
    });
  }

  // Returns whether a label has changed.
  bool propagate() {
    sycl::buffer<bool> changed{sycl::range<1>(1)};
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor label(labels, handler, sycl::read_write);
      sycl::accessor ends(edges, handler, sycl::read_only);
      auto any = sycl::reduction(changed, handler, sycl::logical_or<bool>(),
                                 {sycl::property::reduction::initialize_to_identity()});
      handler.parallel_for<class propagate_labels>(
          edges.get_range(), any, [=](sycl::item<1> item, auto &changes) {
            atomic_label left(label[ends[item].x()]), right(label[ends[item].y()]);
            const int smaller = sycl::min(left.load(), right.load());
            const bool left_changed = left.fetch_min(smaller) > smaller;
            const bool right_changed = right.fetch_min(smaller) > smaller;
            changes.combine(left_changed || right_changed);
          });
    });
    return sycl::host_accessor(changed, sycl::read_only)[0];
  }

  void jump() {
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor label(labels, handler, sycl::read_write);
      handler.parallel_for<class jump_pointers>(labels.get_range(), [=](sycl::id<1> vertex) {
        // The labels of others change meanwhile, but they only get smaller.
        int own = atomic_label(label[vertex]).load();
        for (int next; (next = atomic_label(label[own]).load()) != own;)
          own = next;
        atomic_label(label[vertex]).fetch_min(own);
      });
    });
  }
};

// On the host: a forest in which each tree is a component.
struct union_find {
  std::vector<int> parents;

  int root(int vertex) {
    while (parents[vertex] != vertex)
      vertex = parents[vertex] = parents[parents[vertex]];
    return vertex;
  }

  void join(int one, int other) {
    one = root(one);
    other = root(other);
    parents[one < other ? other : one] = one < other ? one : other;
  }
};

int main() {
  constexpr int vertices = 3000, chain = 500;
  std::mt19937 engine(42);
  std::vector<edge> edges;
  for (int i = 0; i + 1 < chain; ++i) // a long path, in the order that spreads labels worst
    edges.emplace_back(vertices - 1 - i, vertices - 2 - i);
  for (int i = 0; i < 1500; ++i)
    edges.emplace_back(static_cast<int>(engine() % (vertices - chain)),
                       static_cast<int>(engine() % (vertices - chain)));

  union_find expected{std::vector<int>(vertices)};
  std::iota(expected.parents.begin(), expected.parents.end(), 0);
  for (edge each : edges)
    expected.join(each.x(), each.y());

  sycl::queue queue;
  propagation graph(queue, vertices, edges);
  const std::vector<int> labels = graph.components();
  int components = 0, wrong = 0;
  for (int vertex = 0; vertex < vertices; ++vertex) {
    wrong += labels[vertex] != expected.root(vertex);
    components += labels[vertex] == vertex;
  }
  const bool right = wrong == 0 && graph.rounds < 50; // labels that go edge by edge would need 500
  std::printf("%d connected components: %s\n", components, right ? "ok" : "wrong");
  return right ? 0 : 1;
}
