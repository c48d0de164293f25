// A matrix product by tiles in local memory, in the spelling of SYCL 1.2.1: an accessor with target
// `local`, `get_access` on buffers, and a barrier of the work-item.
#include <CL/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

using namespace cl::sycl;

constexpr std::size_t rows = 48, inner = 64, columns = 32, tile = 8;

using matrix = std::vector<float>;

void multiply(queue &q, const matrix &left, const matrix &right, matrix &product) {
  buffer<float, 2> a(left.data(), range<2>(rows, inner));
  buffer<float, 2> b(right.data(), range<2>(inner, columns));
  buffer<float, 2> c(product.data(), range<2>(rows, columns));

  q.submit([&](handler &cgh) {
    auto x = a.get_access<access::mode::read>(cgh);
    auto y = b.get_access<access::mode::read>(cgh);
    auto z = c.get_access<access::mode::discard_write>(cgh);
    using tile_accessor = accessor<float, 2, access::mode::read_write, access::target::local>;
    tile_accessor left_tile(range<2>(tile, tile), cgh);
    tile_accessor right_tile(range<2>(tile, tile), cgh);

    cgh.parallel_for<class tiled_product>(
        nd_range<2>(range<2>(rows, columns), range<2>(tile, tile)), [=](nd_item<2> item) {
          const std::size_t row = item.get_global_id(0), column = item.get_global_id(1);
          const std::size_t i = item.get_local_id(0), j = item.get_local_id(1);
          float sum = 0;
          for (std::size_t first = 0; first < inner; first += tile) {
            left_tile[i][j] = x[row][first + j];
            right_tile[i][j] = y[first + i][column];
            item.barrier(access::fence_space::local_space);
            for (std::size_t k = 0; k < tile; ++k)
              sum += left_tile[i][k] * right_tile[k][j];
            // Nobody overwrites a tile that others still read.
            item.barrier(access::fence_space::local_space);
          }
          z[item.get_global_id()] = sum;
        });
  });
}

int main() {
  matrix left(rows * inner), right(inner * columns), product(rows * columns);
  for (std::size_t i = 0; i < left.size(); ++i)
    left[i] = static_cast<float>(i % 7) - 3;
  for (std::size_t i = 0; i < right.size(); ++i)
    right[i] = static_cast<float>(i % 5) - 2;

  queue q;
  multiply(q, left, right, product);

  // Sums of small integers are exact.
  int wrong = 0;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column) {
      float expected = 0;
      for (std::size_t k = 0; k < inner; ++k)
        expected += left[row * inner + k] * right[k * columns + column];
      wrong += product[row * columns + column] != expected;
    }
  std::printf("tiled matrix product: %d elements wrong\n", wrong);
  return wrong != 0;
}
