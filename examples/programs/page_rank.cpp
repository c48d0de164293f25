// PageRank by power iteration. The links are stored by target: a work-group adds up the ranks of
// the pages that link to a page. Pages without links share their rank among all; a reduction
// computes how much that is, and another how much the ranks change. The queue is in order, so that
// no command needs to name those before it. The result is compared with the solution of the linear
// equations.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <utility>
#include <vector>

constexpr int pages = 120;
constexpr double damping = 0.85;
constexpr std::size_t group_size = 16;

struct web {
  std::vector<int> offsets{0},
      sources; // the pages that link to page p: sources[offsets[p]], and so on
  std::vector<int> links = std::vector<int>(pages);
};

static web make_web() {
  std::mt19937 engine(3);
  web result;
  for (int to = 0; to < pages; ++to) {
    for (int from = 0; from < pages; ++from)
      if (from % 10 != 9 && from != to && engine() % 1000 < 4000u / (to + 5)) {
        result.sources.push_back(from);
        ++result.links[from];
      }
    result.offsets.push_back(static_cast<int>(result.sources.size()));
  }
  return result;
}

// Solves rank = (1 - damping) / pages + damping * (flow along links) by Gaussian elimination.
static std::vector<double> solve(const web &web) {
  std::vector<std::vector<double>> row(pages, std::vector<double>(pages + 1, 0.0));
  for (int to = 0; to < pages; ++to) {
    row[to][pages] = (1 - damping) / pages;
    for (int from = 0; from < pages; ++from)
      if (web.links[from] == 0)
        row[to][from] -= damping / pages;
    for (int i = web.offsets[to]; i < web.offsets[to + 1]; ++i)
      row[to][web.sources[i]] -= damping / web.links[web.sources[i]];
    row[to][to] += 1;
  }
  for (int pivot = 0; pivot < pages; ++pivot) // the matrix is diagonally dominant by columns
    for (int other = 0; other < pages; ++other)
      if (const double factor = row[other][pivot] / row[pivot][pivot]; other != pivot)
        for (int column = pivot; column <= pages; ++column)
          row[other][column] -= factor * row[pivot][column];
  std::vector<double> ranks(pages);
  for (int page = 0; page < pages; ++page)
    ranks[page] = row[page][pages] / row[page][page];
  return ranks;
}

template <typename T> T *on_device(sycl::queue &queue, const std::vector<T> &values) {
  T *memory = sycl::malloc_device<T>(values.size(), queue);
  queue.copy(values.data(), memory, values.size()).wait();
  return memory;
}

int main() {
  const web web = make_web();
  sycl::queue queue{sycl::property_list{sycl::property::queue::in_order()}};
  int *offsets = on_device(queue, web.offsets), *sources = on_device(queue, web.sources);
  int *links = on_device(queue, web.links);
  float *ranks = on_device(queue, std::vector<float>(pages, 1.0f / pages));
  float *next = sycl::malloc_device<float>(pages, queue);
  float *lost = sycl::malloc_shared<float>(1, queue),
        *change = sycl::malloc_shared<float>(1, queue);

  const auto from_zero = sycl::property::reduction::initialize_to_identity();
  int iterations = 0;
  do {
    queue.parallel_for(sycl::range(pages), sycl::reduction(lost, sycl::plus<float>(), {from_zero}),
                       [=](sycl::id<1> page, auto &sum) {
                         if (links[page] == 0)
                           sum += ranks[page];
                       });
    queue.parallel_for(
        sycl::nd_range<1>(pages * group_size, group_size), [=](sycl::nd_item<1> item) {
          const auto page = item.get_group_linear_id();
          float flow = 0;
          for (int i = offsets[page] + static_cast<int>(item.get_local_id(0));
               i < offsets[page + 1]; i += static_cast<int>(group_size))
            flow += ranks[sources[i]] / static_cast<float>(links[sources[i]]);
          flow = sycl::reduce_over_group(item.get_group(), flow, sycl::plus<float>());
          if (item.get_group().leader())
            next[page] = static_cast<float>(1 - damping) / pages +
                         static_cast<float>(damping) * (flow + *lost / pages);
        });
    queue.parallel_for(sycl::range(pages),
                       sycl::reduction(change, sycl::maximum<float>(), {from_zero}),
                       [=](sycl::id<1> page, auto &largest) {
                         largest.combine(sycl::fabs(next[page] - ranks[page]));
                       });
    queue.wait();
    std::swap(ranks, next);
  } while (++iterations < 200 && *change > 1e-8f);

  std::vector<float> result(pages);
  queue.copy(ranks, result.data(), pages).wait();
  for (void *memory : {(void *)offsets, (void *)sources, (void *)links, (void *)ranks, (void *)next,
                       (void *)lost, (void *)change})
    sycl::free(memory, queue);

  const std::vector<double> expected = solve(web);
  double sum = 0, error = 0;
  for (int page = 0; page < pages; ++page) {
    sum += result[page];
    error = std::fmax(error, std::fabs(result[page] - expected[page]));
  }
  const bool right = error < 1e-6 && std::fabs(sum - 1) < 1e-5 && iterations < 200;
  std::printf("page rank: most important page %d: %s\n",
              int(std::max_element(result.begin(), result.end()) - result.begin()),
              right ? "ok" : "wrong");
  return right ? 0 : 1;
}
