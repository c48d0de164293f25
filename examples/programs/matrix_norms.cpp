// The norms of a matrix: reductions over two dimensions, over rows in a loop of command groups, and
// over columns as a reduction of a span.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

constexpr std::size_t rows = 60, columns = 37;

int main() {
  std::vector<float> matrix(rows * columns);
  for (std::size_t i = 0; i < matrix.size(); ++i)
    matrix[i] = static_cast<float>(static_cast<int>(i * 37 % 101) - 50) / 8;

  // Multiples of 1/64 below 2^18: every sum is exact in single precision.
  float frobenius = 0, largest = 0, row_norm = 0, column_norm = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    float sum = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      const float value = matrix[i * columns + j];
      frobenius += value * value;
      largest = std::max(largest, std::fabs(value));
      sum += std::fabs(value);
    }
    row_norm = std::max(row_norm, sum);
  }
  for (std::size_t j = 0; j < columns; ++j) {
    float sum = 0;
    for (std::size_t i = 0; i < rows; ++i)
      sum += std::fabs(matrix[i * columns + j]);
    column_norm = std::max(column_norm, sum);
  }

  sycl::queue queue;
  float squares = 0, most = 0;
  std::vector<float> row_sums(rows, 0.0f);
  float *column_sums = sycl::malloc_shared<float>(columns, queue);
  {
    sycl::buffer<float, 2> values(matrix.data(), sycl::range<2>(rows, columns));
    sycl::buffer<float> squares_buffer(&squares, 1), most_buffer(&most, 1), sums(row_sums);
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor value(values, handler, sycl::read_only);
      handler.parallel_for(values.get_range(),
                           sycl::reduction(squares_buffer, handler, sycl::plus<>()),
                           sycl::reduction(most_buffer, handler, sycl::maximum<>()),
                           [=](sycl::id<2> place, auto &sum, auto &maximum) {
                             sum += value[place] * value[place];
                             maximum.combine(sycl::fabs(value[place]));
                           });
    });
    // Each row's sum is a sub-buffer of one element, so the command groups are independent.
    for (std::size_t row = 0; row < rows; ++row) {
      sycl::buffer<float> sum(sums, sycl::id<1>(row), sycl::range<1>(1));
      queue.submit([&](sycl::handler &handler) {
        sycl::accessor value(values, handler, sycl::read_only);
        handler.parallel_for(
            sycl::range<1>(columns), sycl::reduction(sum, handler, sycl::plus<>()),
            [=](sycl::id<1> j, auto &total) { total += sycl::fabs(value[row][j[0]]); });
      });
    }
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor value(values, handler, sycl::read_only);
      auto of_columns = sycl::reduction(sycl::span<float, columns>(column_sums, columns), 0.0f,
                                        sycl::plus<float>(),
                                        {sycl::property::reduction::initialize_to_identity()});
      handler.parallel_for(values.get_range(), of_columns, [=](sycl::item<2> item, auto &sums) {
        sums[item[1]] += sycl::fabs(value[item]);
      });
    });
    queue.wait();
  }

  const bool right = squares == frobenius && most == largest &&
                     *std::max_element(row_sums.begin(), row_sums.end()) == row_norm &&
                     *std::max_element(column_sums, column_sums + columns) == column_norm;
  std::printf("norms: Frobenius %.3f, maximum %.3f, rows %.3f, columns %.3f: %s\n",
              std::sqrt(static_cast<double>(squares)), static_cast<double>(most),
              static_cast<double>(row_norm), static_cast<double>(column_norm),
              right ? "ok" : "wrong");
  sycl::free(column_sums, queue);
  return right ? 0 : 1;
}
