// Pi as the integral of 4 / (1 + x * x) from 0 to 1, by the midpoint rule: a reduction of numbers
// that the work-items compute. The error decreases with the square of the number of steps.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdio>

static double integrate(sycl::queue &queue, std::size_t steps) {
  double *sum = sycl::malloc_shared<double>(1, queue);
  const double width = 1.0 / static_cast<double>(steps);
  const auto starts = sycl::property::reduction::initialize_to_identity();
  queue
      .parallel_for<class Midpoints>(sycl::range<1>(steps),
                                     sycl::reduction(sum, std::plus<>(), starts),
                                     [=](sycl::id<1> i, auto &total) {
                                       const double x = (static_cast<double>(i[0]) + 0.5) * width;
                                       total += 4 / (1 + x * x) * width;
                                     })
      .wait();
  const double result = *sum;
  sycl::free(sum, queue);
  return result;
}

int main() {
  sycl::queue queue;
  if (!queue.get_device().has(sycl::aspect::fp64)) {
    std::puts("pi: not without double precision");
    return 0;
  }
  const double pi = std::acos(-1.0);
  double before = 0, error = 0;
  bool right = true;
  for (std::size_t steps : {1, 10, 100, 1000, 10000}) {
    before = error;
    error = integrate(queue, steps) - pi;
    // The midpoint rule's error is f'(1) - f'(0) = -2 times -h * h / 24.
    const double expected = 1 / (12.0 * static_cast<double>(steps * steps));
    if (steps > 1)
      right = right && std::fabs(error / expected - 1) < 0.01 && error < before;
  }
  right = right && std::fabs(integrate(queue, 1000000) - pi) < 1e-12;
  std::printf("pi %.10f: %s\n", error + pi, right ? "ok" : "wrong");
  return right ? 0 : 1;
}
