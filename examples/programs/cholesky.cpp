// Cholesky's decomposition of a symmetric positive definite matrix by blocks, and with it the
// solution of a system of equations. For each block column, one work-group factors the block on
// the diagonal in local memory, the blocks below are solved row by row, and the rest is updated.
// The queue is in order, so the kernels need no events. The right-hand side belongs to a known
// solution.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

constexpr std::size_t n = 64, block = 16;

// The matrix is stored by rows, and replaced by its factor, of which only the lower half counts.
struct Lower {
  float *elements;
  float &operator()(std::size_t row, std::size_t column) const {
    return elements[row * n + column];
  }
};

static void factor_diagonal(sycl::queue &queue, Lower a, std::size_t first) {
  queue.submit([&](sycl::handler &handler) {
    sycl::local_accessor<float, 2> tile({block, block}, handler);
    handler.parallel_for(sycl::nd_range<2>({block, block}, {block, block}),
                         [=](sycl::nd_item<2> item) {
                           const std::size_t i = item.get_local_id(0), j = item.get_local_id(1);
                           tile[i][j] = a(first + i, first + j);
                           for (std::size_t k = 0; k < block; ++k) {
                             sycl::group_barrier(item.get_group());
                             const float root = sycl::sqrt(tile[k][k]);
                             const float left = tile[i][k] / root, right = tile[j][k] / root;
                             sycl::group_barrier(item.get_group());
                             if (j == k && i >= k)
                               tile[i][k] = i == k ? root : left;
                             else if (i >= j && j > k)
                               tile[i][j] -= left * right;
                           }
                           if (i >= j)
                             a(first + i, first + j) = tile[i][j];
                         });
  });
}

static void solve_below(sycl::queue &queue, Lower a, std::size_t first) {
  const std::size_t rest = n - first - block;
  queue.parallel_for(rest, [=](sycl::id<1> id) {
    const std::size_t row = first + block + id;
    for (std::size_t j = first; j < first + block; ++j) {
      float sum = a(row, j);
      for (std::size_t k = first; k < j; ++k)
        sum -= a(row, k) * a(j, k);
      a(row, j) = sum / a(j, j);
    }
  });
}

static void update(sycl::queue &queue, Lower a, std::size_t first) {
  const std::size_t next = first + block, rest = n - next;
  queue.parallel_for(sycl::nd_range<2>({rest, rest}, {block, block}), [=](sycl::nd_item<2> item) {
    if (item.get_group(0) < item.get_group(1))
      return; // the upper half
    const std::size_t row = next + item.get_global_id(0), column = next + item.get_global_id(1);
    float sum = 0;
    for (std::size_t k = first; k < next; ++k)
      sum += a(row, k) * a(column, k);
    a(row, column) -= sum;
  });
}

int main() {
  sycl::queue queue{sycl::property::queue::in_order()};
  const Lower a{sycl::malloc_shared<float>(n * n, queue)};

  // A Toeplitz matrix with a dominant diagonal is positive definite.
  std::vector<double> solution(n), right(n);
  const auto element = [](std::size_t i, std::size_t j) {
    const double distance = i > j ? double(i - j) : double(j - i);
    return i == j ? 4.0 : 1 / (1 + distance * distance);
  };
  for (std::size_t i = 0; i < n; ++i)
    solution[i] = static_cast<double>(i % 5) - 1.5;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      a(i, j) = static_cast<float>(element(i, j));
      right[i] += element(i, j) * solution[j];
    }

  for (std::size_t first = 0; first < n; first += block) {
    factor_diagonal(queue, a, first);
    if (first + block < n) {
      solve_below(queue, a, first);
      update(queue, a, first);
    }
  }
  queue.wait();

  // Forward and backward substitution.
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j)
      right[i] -= a(i, j) * right[j];
    right[i] /= a(i, i);
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j)
      right[i] -= a(j, i) * right[j];
    right[i] /= a(i, i);
  }

  int errors = 0;
  for (std::size_t i = 0; i < n; ++i) {
    errors += !(std::fabs(right[i] - solution[i]) < 1e-4);
    for (std::size_t j = 0; j <= i; ++j) {
      double product = 0;
      for (std::size_t k = 0; k <= j; ++k)
        product += double(a(i, k)) * a(j, k);
      errors += !(std::fabs(product - element(i, j)) < 1e-5);
    }
  }
  sycl::free(a.elements, queue);
  std::printf("Cholesky's decomposition: %d errors\n", errors);
  return errors != 0;
}
