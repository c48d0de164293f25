// Accessors to a part of a buffer, one- and two-dimensional: the rest stays as it was.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

int main() {
  constexpr std::size_t n = 20;
  std::vector<int> line(n, 1), plane(n * n, 1);
  sycl::queue queue;
  {
    sycl::buffer line_buffer(line);
    sycl::buffer<int, 2> plane_buffer(plane.data(), sycl::range<2>(n, n));

    // The accessor's indices count from the part's beginning.
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor part(line_buffer, handler, sycl::range<1>(5), sycl::id<1>(10),
                          sycl::read_write);
      handler.parallel_for(part.get_range(), [=](sycl::id<1> i) { part[i] += 1; });
    });
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor part(plane_buffer, handler, sycl::range<2>(3, 4), sycl::id<2>(1, 2),
                          sycl::write_only);
      handler.parallel_for(sycl::range<2>(3, 4), [=](sycl::id<2> i) { part[i[0]][i[1]] = 7; });
    });
    sycl::host_accessor check(line_buffer, sycl::range<1>(2), sycl::id<1>(9), sycl::read_only);
    if (check[0] != 1 || check[1] != 2 || check.size() != 2 || check.get_offset()[0] != 9) {
      std::puts("sub-ranges: the host sees something else");
      return 1;
    }
  }

  int errors = 0;
  for (std::size_t i = 0; i < n; ++i)
    errors += line[i] != (i >= 10 && i < 15 ? 2 : 1);
  for (std::size_t y = 0; y < n; ++y)
    for (std::size_t x = 0; x < n; ++x)
      errors += plane[y * n + x] != (y >= 1 && y < 4 && x >= 2 && x < 6 ? 7 : 1);
  std::printf("sub-ranges: %d errors\n", errors);
  return errors != 0;
}
