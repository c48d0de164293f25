// The dot product of two vectors and their norms, as reductions into buffers: from these, the angle
// between the vectors.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  constexpr std::size_t size = 100000;
  std::vector<double> x(size), y(size);
  double dot_expected = 0, x_expected = 0, y_expected = 0;
  for (std::size_t i = 0; i < size; ++i) {
    x[i] = std::sin(0.001 * static_cast<double>(i));
    y[i] = std::cos(0.001 * static_cast<double>(i)) + x[i];
    dot_expected += x[i] * y[i];
    x_expected += x[i] * x[i];
    y_expected += y[i] * y[i];
  }

  double dot = 0, x_squares = 0, y_squares = 0;
  {
    sycl::queue queue;
    sycl::buffer x_buffer(x), y_buffer(y);
    sycl::buffer<double> dot_buffer(&dot, 1), x_result(&x_squares, 1), y_result(&y_squares, 1);
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor left(x_buffer, handler, sycl::read_only);
      sycl::accessor right(y_buffer, handler, sycl::read_only);
      auto products = sycl::reduction(dot_buffer, handler, sycl::plus<double>());
      auto left_squares = sycl::reduction(x_result, handler, sycl::plus<double>());
      auto right_squares = sycl::reduction(y_result, handler, sycl::plus<double>());
      handler.parallel_for(
          sycl::range<1>(size), products, left_squares, right_squares,
          [=](sycl::id<1> i, auto &product, auto &left_square, auto &right_square) {
            product += left[i] * right[i];
            left_square += left[i] * left[i];
            right_square += right[i] * right[i];
          });
    });
  }

  const auto close = [](double got, double expected) {
    return std::fabs(got - expected) <= 1e-9 * std::fabs(expected);
  };
  const double angle = std::acos(dot / std::sqrt(x_squares * y_squares)) * 180 / std::acos(-1.0);
  const bool right =
      close(dot, dot_expected) && close(x_squares, x_expected) && close(y_squares, y_expected);
  std::printf("dot product: %.1f degrees, %s\n", angle, right ? "ok" : "wrong");
  return right ? 0 : 1;
}
