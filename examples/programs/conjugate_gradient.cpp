// The method of conjugate gradients for a sparse system: Poisson's equation on a square, stored as
// compressed rows in shared memory. The queue is in order. The kernels that compute vectors also
// compute their scalar products, as reductions; the coefficients stay on the device, and the host
// only looks whether the residual is small enough. The solution is known beforehand.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

constexpr int side = 24;
constexpr std::size_t n = side * side;

struct Sparse {
  const int *starts, *columns;
  const float *values;

  float row_times(std::size_t row, const float *vector) const {
    float sum = 0;
    for (int i = starts[row]; i < starts[row + 1]; ++i)
      sum += values[i] * vector[columns[i]];
    return sum;
  }
};

template <typename T> using shared = sycl::usm_allocator<T, sycl::usm::alloc::shared>;
template <typename T> using shared_vector = std::vector<T, shared<T>>;

struct Sums {
  float residual, next_residual, curvature;
};

int main() {
  sycl::queue queue{sycl::property::queue::in_order{}};
  shared_vector<int> starts{shared<int>(queue)}, columns{shared<int>(queue)};
  shared_vector<float> values{shared<float>(queue)};
  starts.push_back(0);
  for (int row = 0; row < side; ++row)
    for (int column = 0; column < side; ++column) {
      const auto add = [&](int i, int j, float value) {
        if (i < 0 || i >= side || j < 0 || j >= side)
          return;
        columns.push_back(i * side + j);
        values.push_back(value);
      };
      add(row - 1, column, -1);
      add(row, column - 1, -1);
      add(row, column, 4);
      add(row, column + 1, -1);
      add(row + 1, column, -1);
      starts.push_back(static_cast<int>(columns.size()));
    }
  const Sparse matrix{starts.data(), columns.data(), values.data()};

  std::vector<float> solution(n);
  for (std::size_t i = 0; i < n; ++i)
    solution[i] = std::sin(0.05f * static_cast<float>(i % side * (i / side)));
  float *memory = sycl::malloc_shared<float>(4 * n, queue);
  float *x = memory, *residual = x + n, *direction = residual + n, *image = direction + n;
  Sums *sums = sycl::malloc_shared<Sums>(1, queue);
  *sums = {};
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = 0;
    residual[i] = direction[i] = matrix.row_times(i, solution.data());
    sums->residual += residual[i] * residual[i];
  }

  const sycl::property_list anew{sycl::property::reduction::initialize_to_identity()};
  const float limit = 1e-11f * sums->residual;
  int steps = 0;
  for (; sums->residual > limit && steps < 200; ++steps) {
    queue.parallel_for(sycl::range<1>(n),
                       sycl::reduction(&sums->curvature, 0.0f, sycl::plus<float>(), anew),
                       [=](sycl::id<1> i, auto &sum) {
                         image[i] = matrix.row_times(i, direction);
                         sum += direction[i] * image[i];
                       });
    queue.parallel_for(sycl::range<1>(n),
                       sycl::reduction(&sums->next_residual, 0.0f, sycl::plus<float>(), anew),
                       [=](sycl::id<1> i, auto &sum) {
                         const float length = sums->residual / sums->curvature;
                         x[i] += length * direction[i];
                         residual[i] -= length * image[i];
                         sum += residual[i] * residual[i];
                       });
    queue.parallel_for(n, [=](sycl::id<1> i) {
      direction[i] = residual[i] + sums->next_residual / sums->residual * direction[i];
    });
    queue.single_task([=] { sums->residual = sums->next_residual; });
    queue.wait();
  }

  int errors = steps == 0 || steps >= 100;
  for (std::size_t i = 0; i < n; ++i)
    errors += !(std::fabs(x[i] - solution[i]) < 1e-4f);
  sycl::free(memory, queue);
  sycl::free(sums, queue);
  std::printf("conjugate gradients: %d errors\n", errors);
  return errors != 0;
}
