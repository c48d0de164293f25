// Multiplies two matrices tile by tile through local memory.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

constexpr std::size_t size = 64;
constexpr std::size_t tile = 8;

int main() {
  std::vector<float> a(size * size), b(size * size), product(size * size);
  for (std::size_t i = 0; i < size * size; ++i) {
    a[i] = static_cast<float>(i % 7);
    b[i] = static_cast<float>(i % 5) - 2.0f;
  }

  sycl::queue queue;
  {
    sycl::range<2> shape(size, size);
    sycl::buffer<float, 2> a_buffer(a.data(), shape);
    sycl::buffer<float, 2> b_buffer(b.data(), shape);
    sycl::buffer<float, 2> product_buffer(product.data(), shape);

    queue.submit([&](sycl::handler &handler) {
      sycl::accessor left(a_buffer, handler, sycl::read_only);
      sycl::accessor right(b_buffer, handler, sycl::read_only);
      sycl::accessor result(product_buffer, handler, sycl::write_only, sycl::no_init);
      sycl::local_accessor<float, 2> left_tile(sycl::range<2>(tile, tile), handler);
      sycl::local_accessor<float, 2> right_tile(sycl::range<2>(tile, tile), handler);

      handler.parallel_for(
          sycl::nd_range<2>(shape, sycl::range<2>(tile, tile)), [=](sycl::nd_item<2> item) {
            std::size_t row = item.get_global_id(0), column = item.get_global_id(1);
            std::size_t y = item.get_local_id(0), x = item.get_local_id(1);
            float sum = 0;
            for (std::size_t first = 0; first < size; first += tile) {
              left_tile[y][x] = left[row][first + x];
              right_tile[y][x] = right[first + y][column];
              sycl::group_barrier(item.get_group());
              for (std::size_t k = 0; k < tile; ++k)
                sum += left_tile[y][k] * right_tile[k][x];
              sycl::group_barrier(item.get_group());
            }
            result[row][column] = sum;
          });
    });
  }

  // Whole numbers below 2^24, so single precision is exact.
  int errors = 0;
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column < size; ++column) {
      float sum = 0;
      for (std::size_t k = 0; k < size; ++k)
        sum += a[row * size + k] * b[k * size + column];
      errors += product[row * size + column] != sum;
    }
  }
  std::printf("matrix product: %d errors\n", errors);
  return errors != 0;
}
