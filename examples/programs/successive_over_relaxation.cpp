// Laplace's equation by successive over-relaxation in the order of a chessboard: the black points
// depend only on white ones and vice versa, so that each colour is updated in place by one kernel.
// A reduction in the kernel of the second colour gives the largest change of all points, and the
// events of the queue, which measures times, say how long the kernels took. The result is a
// harmonic polynomial, for which the stencil is exact.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr std::size_t size = 34; // points in both directions, with the boundary
constexpr int most_iterations = 500;

static double harmonic(double y, double x) { return x * x * x - 3 * x * y * y + 2 * x * y - y; }

class sor {
public:
  explicit sor(sycl::queue queue)
      : queue(queue), values(sycl::malloc_shared<double>(size * size, queue)),
        change(sycl::malloc_shared<double>(1, queue)) {
    for (std::size_t i = 0; i < size * size; ++i) {
      const std::size_t row = i / size, column = i % size;
      const bool edge = row == 0 || row + 1 == size || column == 0 || column + 1 == size;
      values[i] = edge ? harmonic(double(row) / size, double(column) / size) : 0;
    }
  }
  sor(const sor &) = delete;
  sor &operator=(const sor &) = delete;
  ~sor() {
    sycl::free(values, queue);
    sycl::free(change, queue);
  }

  // Returns the largest change.
  double iterate(double factor) {
    *change = 0;
    const sycl::range<2> half(size - 2, (size - 2) / 2);
    sycl::event black = queue.parallel_for(half, sycl::reduction(change, sycl::maximum<double>()),
                                           update(values, 0, factor));
    sycl::event white = queue.parallel_for(
        half, black, sycl::reduction(change, sycl::maximum<double>()), update(values, 1, factor));
    white.wait();
    for (const sycl::event &event : {black, white})
      kernel_time += event.get_profiling_info<sycl::info::event_profiling::command_end>() -
                     event.get_profiling_info<sycl::info::event_profiling::command_start>();
    return *change;
  }

  double error() const {
    double largest = 0;
    for (std::size_t i = 0; i < size * size; ++i)
      largest = std::fmax(largest, std::fabs(values[i] - harmonic(double(i / size) / size,
                                                                  double(i % size) / size)));
    return largest;
  }

  std::uint64_t kernel_time = 0; // nanoseconds

private:
  // Updates every second point, from the first or the second of each row.
  struct update {
    update(double *values, std::size_t colour, double factor)
        : values(values), colour(colour), factor(factor) {}

    template <typename Reducer> void operator()(sycl::item<2> item, Reducer &largest) const {
      const std::size_t row = item[0] + 1, column = 2 * item[1] + 1 + (row + colour) % 2;
      double &here = values[row * size + column];
      const double *around = &here;
      const double mean = (around[-1] + around[1] + *(around - size) + *(around + size)) / 4;
      const double step = factor * (mean - here);
      here += step;
      largest.combine(sycl::fabs(step));
    }

    double *values;
    std::size_t colour;
    double factor;
  };

  sycl::queue queue;
  double *values, *change;
};

static int solve(sor &solver, double factor) {
  int iterations = 1;
  while (solver.iterate(factor) > 1e-9 && iterations < most_iterations)
    ++iterations;
  return iterations;
}

int main() {
  sycl::queue queue(sycl::property::queue::enable_profiling{});
  if (!queue.get_device().has(sycl::aspect::fp64)) {
    std::puts("this device has no double precision");
    return 0;
  }
  // The best factor is known for a square.
  const double best = 2 / (1 + std::sin(std::acos(-1.0) / (size - 1)));
  sor solver(queue);
  const int iterations = solve(solver, best);
  const bool right = solver.error() < 1e-7 && iterations < 150 && solver.kernel_time > 0;
  std::printf("successive over-relaxation: %s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
