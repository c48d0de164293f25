// fill, memset, copy and memcpy, by queue and by handler, with events between them.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

struct point {
  float x, y, z;
};

int main() {
  constexpr std::size_t n = 300;
  sycl::queue queue;
  point *points = sycl::malloc_device<point>(n, queue);
  unsigned *numbers = sycl::malloc_device<unsigned>(n, queue);
  std::vector<point> point_result(n);
  std::vector<unsigned> number_result(n), start(n, 9);

  sycl::event filled = queue.fill(points, point{1.0f, 2.0f, 3.0f}, n);
  queue.copy(points, point_result.data(), n, filled).wait();

  sycl::event zeroed = queue.memset(numbers, 0, n * sizeof(unsigned));
  sycl::event ones = queue.submit([&](sycl::handler &handler) {
    handler.depends_on(zeroed);
    handler.memset(numbers, 0xff, 4 * sizeof(unsigned));
  });
  sycl::event copied = queue.submit([&](sycl::handler &handler) {
    handler.depends_on(ones);
    handler.memcpy(numbers + 100, start.data(), 100 * sizeof(unsigned));
  });
  sycl::event last = queue.submit([&](sycl::handler &handler) {
    handler.depends_on(copied);
    handler.fill(numbers + 200, 5u, 100);
  });
  queue.memcpy(number_result.data(), numbers, n * sizeof(unsigned), last).wait();

  int errors = 0;
  for (const point &p : point_result)
    errors += p.x != 1.0f || p.y != 2.0f || p.z != 3.0f;
  for (std::size_t i = 0; i < n; ++i)
    errors += number_result[i] != (i < 4 ? ~0u : i < 100 ? 0u : i < 200 ? 9u : 5u);
  sycl::free(points, queue);
  sycl::free(numbers, queue);
  std::printf("memory shortcuts: %d errors\n", errors);
  return errors != 0;
}
