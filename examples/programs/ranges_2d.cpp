// Turns a matrix over its diagonal: two-dimensional ranges, ids, items and buffers.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

int main() {
  constexpr std::size_t rows = 5, columns = 9;
  std::vector<int> matrix(rows * columns), turned(rows * columns);
  sycl::queue queue;
  {
    sycl::buffer<int, 2> from(matrix.data(), sycl::range<2>(rows, columns));
    sycl::buffer<int, 2> to(turned.data(), sycl::range{columns, rows});

    queue.submit([&](sycl::handler &handler) {
      sycl::accessor out(from, handler, sycl::write_only, sycl::no_init);
      handler.parallel_for(from.get_range(), [=](sycl::item<2> item) {
        out[item.get_id()] = static_cast<int>(item.get_linear_id());
      });
    });
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor in(from, handler, sycl::read_only);
      sycl::accessor out(to, handler, sycl::write_only, sycl::no_init);
      handler.parallel_for(sycl::range(rows, columns),
                           [=](sycl::id<2> id) { out[id[1]][id[0]] = in[id]; });
    });
  }

  int errors = 0;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column) {
      errors += matrix[row * columns + column] != static_cast<int>(row * columns + column);
      errors += turned[column * rows + row] != static_cast<int>(row * columns + column);
    }
  std::printf("two dimensions: %d errors\n", errors);
  return errors != 0;
}
