// Matrix products with an algorithm and a tile size that are chosen when the program runs. Both are
// specialization constants, so each choice is compiled as if it had been written for it: the branch
// for the other algorithm disappears, and the loop over a tile has a known length.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <cstdlib>
#include <vector>

enum class algorithm { direct, tiled };

struct plan {
  algorithm which;
  int tile;
};

constexpr sycl::specialization_id<plan> chosen{plan{algorithm::direct, 8}};

constexpr int size = 96;
constexpr int largest_tile = 16;
using matrix = std::vector<int>;

static matrix product(sycl::queue &queue, const matrix &left, const matrix &right, plan wanted) {
  matrix result(size * size);
  {
    sycl::buffer<int, 2> a(left.data(), sycl::range<2>(size, size));
    sycl::buffer<int, 2> b(right.data(), sycl::range<2>(size, size));
    sycl::buffer<int, 2> c(result.data(), sycl::range<2>(size, size));
    queue.submit([&](sycl::handler &group) {
      group.set_specialization_constant<chosen>(wanted);
      sycl::accessor from_a(a, group, sycl::read_only);
      sycl::accessor from_b(b, group, sycl::read_only);
      sycl::accessor to(c, group, sycl::write_only, sycl::no_init);
      // The local memory of the largest tile: its size is not a constant of the kernel.
      sycl::range<2> square(largest_tile, largest_tile);
      sycl::local_accessor<int, 2> tile_a(square, group), tile_b(square, group);
      const std::size_t edge = static_cast<std::size_t>(wanted.tile);
      sycl::nd_range<2> where({size, size}, {edge, edge});
      group.parallel_for(where, [=](sycl::nd_item<2> item, sycl::kernel_handler handler) {
        const plan now = handler.get_specialization_constant<chosen>();
        const int row = static_cast<int>(item.get_global_id(0));
        const int column = static_cast<int>(item.get_global_id(1));
        int sum = 0;
        if (now.which == algorithm::direct) {
          for (int i = 0; i < size; ++i)
            sum += from_a[row][i] * from_b[i][column];
        } else {
          const int i = static_cast<int>(item.get_local_id(0));
          const int j = static_cast<int>(item.get_local_id(1));
          for (int first = 0; first < size; first += now.tile) {
            tile_a[i][j] = from_a[row][first + j];
            tile_b[i][j] = from_b[first + i][column];
            sycl::group_barrier(item.get_group());
            for (int k = 0; k < now.tile; ++k)
              sum += tile_a[i][k] * tile_b[k][j];
            sycl::group_barrier(item.get_group());
          }
        }
        to[item.get_global_id()] = sum;
      });
    });
  }
  return result;
}

int main() {
  sycl::queue queue;
  matrix left(size * size), right(size * size), expected(size * size);
  for (int i = 0; i < size * size; ++i) {
    left[i] = i % 7 - 3;
    right[i] = i % 5 - 2;
  }
  for (int i = 0; i < size; ++i)
    for (int k = 0; k < size; ++k)
      for (int j = 0; j < size; ++j)
        expected[i * size + j] += left[i * size + k] * right[k * size + j];

  int wrong = 0, count = 0;
  for (algorithm which : {algorithm::direct, algorithm::tiled})
    for (int tile : {4, 8, 16}) {
      wrong += product(queue, left, right, {which, tile}) != expected;
      ++count;
    }
  std::printf("%d plans of a matrix product: %s\n", count, wrong ? "wrong" : "ok");
  return wrong != 0;
}
