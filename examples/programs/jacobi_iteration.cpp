// Jacobi's iteration for a system of linear equations with a dominant diagonal. Two buffers change
// roles with each step. A reduction finds the greatest change; the host reads it after every eighth
// step to see whether to continue. At the end the equations have to be satisfied, and the number of
// steps has to be what the norm of the iteration's matrix promises.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

constexpr std::size_t n = 96;

int main() {
  // Rows sum up to at most half of the diagonal, so the error halves with each step, or faster.
  std::vector<float> a(n * n), b(n);
  for (std::size_t i = 0; i < n; ++i) {
    float sum = 0;
    for (std::size_t j = 0; j < n; ++j)
      if (i != j) {
        a[i * n + j] = static_cast<float>(static_cast<int>(i * 31 + j * 17) % 13 - 6) / 8;
        sum += std::fabs(a[i * n + j]);
      }
    a[i * n + i] = 2 * sum;
    b[i] = static_cast<float>(i % 10) - 3;
  }

  sycl::queue queue;
  std::vector<float> solution(n);
  int steps = 0;
  bool converged = false;
  {
    sycl::buffer<float, 2> matrix(a.data(), sycl::range<2>(n, n));
    sycl::buffer right(b);
    sycl::buffer<float> now{sycl::range<1>(n)}, next{sycl::range<1>(n)}, change{sycl::range<1>(1)};
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor x(now, handler, sycl::write_only, sycl::no_init);
      handler.fill(x, 0.0f);
    });
    while (!converged && steps < 200) {
      queue.submit([&](sycl::handler &handler) {
        sycl::accessor element(matrix, handler, sycl::read_only);
        sycl::accessor wanted(right, handler, sycl::read_only);
        sycl::accessor x(now, handler, sycl::read_only);
        sycl::accessor result(next, handler, sycl::write_only, sycl::no_init);
        auto greatest = sycl::reduction(change, handler, sycl::maximum<float>(),
                                        {sycl::property::reduction::initialize_to_identity()});
        handler.parallel_for(sycl::range<1>(n), greatest, [=](sycl::id<1> id, auto &most) {
          const std::size_t i = id;
          float rest = wanted[i];
          for (std::size_t j = 0; j < n; ++j)
            rest -= i == j ? 0.0f : element[i][j] * x[j];
          result[i] = rest / element[i][i];
          most.combine(sycl::fabs(result[i] - x[i]));
        });
      });
      std::swap(now, next);
      if (++steps % 8 == 0)
        converged = sycl::host_accessor(change, sycl::read_only)[0] < 1e-7f;
    }
    const sycl::host_accessor x(now, sycl::read_only);
    solution.assign(x.begin(), x.end());
  }

  int errors = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double rest = b[i], scale = 0;
    for (std::size_t j = 0; j < n; ++j) {
      rest -= double(a[i * n + j]) * solution[j];
      scale += std::fabs(double(a[i * n + j]) * solution[j]);
    }
    errors += !(std::fabs(rest) < 1e-5 * (scale + 1));
  }
  errors += !converged || steps > 32;
  std::printf("Jacobi's iteration: %d errors\n", errors);
  return errors != 0;
}
