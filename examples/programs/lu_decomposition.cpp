// LU decomposition with partial pivoting: one work-group finds the pivot of a column by a reduction
// of places, exchanges two rows and divides the column; then all work-items update the rest of the
// matrix. A host task notes the order of the rows between the kernels. In the end the product of
// the factors has to be the matrix, with its rows in that order.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

constexpr std::size_t n = 40, group_size = 64;

using matrix = std::vector<float>;

static void find_pivot(sycl::queue &queue, sycl::buffer<float, 2> &a, sycl::buffer<int> &pivots,
                       std::size_t step) {
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor element(a, handler, sycl::read_write);
    sycl::accessor pivot(pivots, handler, sycl::write_only);
    handler.parallel_for(sycl::nd_range<1>(group_size, group_size), [=](sycl::nd_item<1> item) {
      const auto group = item.get_group();
      const std::size_t local = item.get_local_id(0);

      // The greatest element of the column, and of several equal ones the first.
      const bool candidate = local >= step && local < n;
      const float size = candidate ? sycl::fabs(element[local][step]) : -1.0f;
      const float greatest = sycl::reduce_over_group(group, size, sycl::maximum<>());
      const int place = size == greatest ? static_cast<int>(local) : static_cast<int>(n);
      const int row = sycl::reduce_over_group(group, place, sycl::minimum<>());

      if (local < n)
        std::swap(element[step][local], element[row][local]);
      sycl::group_barrier(group, sycl::memory_scope::device);
      if (local > step && local < n)
        element[local][step] /= element[step][step];
      if (group.leader())
        pivot[step] = row;
    });
  });
}

static void update(sycl::queue &queue, sycl::buffer<float, 2> &a, std::size_t step) {
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor element(a, handler, sycl::read_write);
    const std::size_t rest = n - step - 1;
    handler.parallel_for(sycl::range<2>(rest, rest), [=](sycl::id<2> id) {
      const std::size_t i = id[0] + step + 1, j = id[1] + step + 1;
      element[i][j] -= element[i][step] * element[step][j];
    });
  });
}

int main() {
  matrix original(n * n);
  for (std::size_t i = 0; i < n * n; ++i)
    original[i] = static_cast<float>(static_cast<int>((i * 7919 + i / n * 104729) % 1009) - 504);

  matrix factors = original;
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i)
    order[i] = i;
  {
    sycl::queue queue;
    sycl::buffer<float, 2> a(factors.data(), sycl::range<2>(n, n));
    sycl::buffer<int> pivots{sycl::range<1>(n)};
    for (std::size_t step = 0; step < n; ++step) {
      find_pivot(queue, a, pivots, step);
      if (step + 1 < n)
        update(queue, a, step);
    }
    sycl::event noted = queue.submit([&](sycl::handler &handler) {
      sycl::accessor pivot(pivots, handler, sycl::read_only_host_task);
      handler.host_task([=, &order] {
        for (std::size_t step = 0; step < n; ++step)
          std::swap(order[step], order[pivot[step]]);
      });
    });
    noted.wait(); // nothing else would: `pivots` has nothing to write back
  }

  int errors = 0, exchanged = 0;
  for (std::size_t i = 0; i < n; ++i) {
    exchanged += order[i] != i;
    for (std::size_t j = 0; j < n; ++j) {
      double product = 0;
      for (std::size_t k = 0; k <= i && k <= j; ++k)
        product += (k == i ? 1.0 : double(factors[i * n + k])) * factors[k * n + j];
      errors += !(std::fabs(product - original[order[i] * n + j]) < 0.05);
      errors += j < i && !(std::fabs(factors[i * n + j]) <= 1); // because of the pivots
    }
  }
  errors += exchanged == 0;
  std::printf("LU decomposition: %d errors\n", errors);
  return errors != 0;
}
