// A square matrix is transposed in place: a work-group exchanges a tile with its mirror image. Both
// pass through local memory, so that work-items read and write neighbouring elements. Only groups
// in the lower half have something to do; they are numbered in one dimension, and each computes its
// row of tiles from the number. Elements are marrays, to show that any type can be moved.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

constexpr std::size_t tile = 8, tiles = 12, n = tile * tiles;

using element = sycl::marray<short, 3>;

static element numbered(std::size_t row, std::size_t column) {
  return {static_cast<short>(row), static_cast<short>(column),
          static_cast<short>(row * 3 + column)};
}

class Transpose {
public:
  Transpose(sycl::buffer<element, 2> &matrix, sycl::handler &handler)
      : matrix_(matrix, handler, sycl::read_write), lower_({tile, tile}, handler),
        upper_({tile, tile}, handler) {}

  void operator()(sycl::nd_item<3> item) const {
    // Group g is in the greatest row with row * (row + 1) / 2 <= g.
    const std::size_t number = item.get_group(0);
    std::size_t row = 0;
    while ((row + 1) * (row + 2) / 2 <= number)
      ++row;
    const std::size_t column = number - row * (row + 1) / 2;

    const std::size_t i = item.get_local_id(1), j = item.get_local_id(2);
    const sycl::id<2> below(row * tile + i, column * tile + j);
    const sycl::id<2> above(column * tile + i, row * tile + j);
    lower_[i][j] = matrix_[below];
    upper_[i][j] = matrix_[above];
    sycl::group_barrier(item.get_group());
    matrix_[below] = upper_[j][i];
    matrix_[above] = lower_[j][i]; // on the diagonal, both are the same tile
  }

private:
  sycl::accessor<element, 2> matrix_;
  sycl::local_accessor<element, 2> lower_, upper_;
};

int main() {
  std::vector<element> matrix(n * n);
  for (std::size_t i = 0; i < n * n; ++i)
    matrix[i] = numbered(i / n, i % n);
  {
    sycl::queue queue;
    sycl::buffer<element, 2> buffer(matrix.data(), {n, n});
    queue.submit([&](sycl::handler &handler) {
      constexpr std::size_t groups = tiles * (tiles + 1) / 2;
      handler.parallel_for(sycl::nd_range<3>({groups, tile, tile}, {1, tile, tile}),
                           Transpose(buffer, handler));
    });
  }

  int errors = 0;
  for (std::size_t i = 0; i < n * n; ++i) {
    const auto same = matrix[i] == numbered(i % n, i / n);
    errors += !(same[0] && same[1] && same[2]);
  }
  std::printf("transposition in place: %d errors\n", errors);
  return errors != 0;
}
