// Draws the Mandelbrot set in letters.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <iostream>
#include <string>

int main() {
  constexpr std::size_t rows = 11, columns = 32;
  sycl::queue queue;
  sycl::buffer<int, 2> steps{sycl::range<2>(rows, columns)};
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor out(steps, handler, sycl::write_only, sycl::no_init);
    handler.parallel_for(steps.get_range(), [=](sycl::id<2> id) {
      float cx = -2.0f + 3.0f * (static_cast<float>(id[1]) + 0.5f) / columns;
      float cy = -1.2f + 2.4f * (static_cast<float>(id[0]) + 0.5f) / rows;
      float x = 0, y = 0;
      int step = 0;
      for (; step < 50 && x * x + y * y < 4.0f; ++step) {
        float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
      }
      out[id] = step;
    });
  });

  sycl::host_accessor result(steps, sycl::read_only);
  for (std::size_t row = 0; row < rows; ++row) {
    std::string line;
    for (std::size_t column = 0; column < columns; ++column)
      line += result[row][column] == 50 ? '#' : result[row][column] > 6 ? '+' : '.';
    std::cout << line << "\n";
  }
}
