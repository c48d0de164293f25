// Lets heat spread over a plate: each point becomes the mean of its neighbours, step by step
// between two buffers.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

constexpr std::size_t rows = 32, columns = 48;
constexpr int steps = 20;

static std::vector<float> on_the_host(std::vector<float> now) {
  std::vector<float> next = now;
  for (int step = 0; step < steps; ++step) {
    for (std::size_t y = 1; y + 1 < rows; ++y)
      for (std::size_t x = 1; x + 1 < columns; ++x)
        next[y * columns + x] = 0.25f * (now[(y - 1) * columns + x] + now[(y + 1) * columns + x] +
                                         now[y * columns + x - 1] + now[y * columns + x + 1]);
    std::swap(now, next);
  }
  return now;
}

int main() {
  std::vector<float> plate(rows * columns, 0.0f);
  for (std::size_t x = 0; x < columns; ++x)
    plate[x] = 100.0f;
  std::vector<float> expected = on_the_host(plate);

  sycl::queue queue;
  sycl::range<2> shape(rows, columns);
  sycl::buffer<float, 2> now(plate.data(), shape);
  sycl::buffer<float, 2> next(plate.data(), shape);
  now.set_write_back(false);
  next.set_write_back(false);

  for (int step = 0; step < steps; ++step) {
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor from(now, handler, sycl::read_only);
      sycl::accessor to(next, handler, sycl::write_only);
      handler.parallel_for(sycl::range<2>(rows - 2, columns - 2), [=](sycl::id<2> id) {
        std::size_t y = id[0] + 1, x = id[1] + 1;
        to[y][x] = 0.25f * (from[y - 1][x] + from[y + 1][x] + from[y][x - 1] + from[y][x + 1]);
      });
    });
    std::swap(now, next);
  }

  sycl::host_accessor result(now, sycl::read_only);
  int errors = 0;
  for (std::size_t y = 0; y < rows; ++y)
    for (std::size_t x = 0; x < columns; ++x)
      errors += sycl::fabs(result[y][x] - expected[y * columns + x]) > 1e-3f;
  std::printf("stencil: %d errors\n", errors);
  return errors != 0;
}
