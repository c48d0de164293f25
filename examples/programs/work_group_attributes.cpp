// Attributes for work-group sizes: a transposition in tiles requires square work-groups, a hint and
// a maximum leave the size to the launch, and a launch with another size than required throws.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

constexpr std::size_t Rows = 64, Columns = 96;

// Moves a tile through local memory, which is as large as the work-group.
template <std::size_t Tile> class transpose {
public:
  transpose(sycl::buffer<int, 2> &from, sycl::buffer<int, 2> &to, sycl::handler &handler)
      : in(from, handler, sycl::read_only), out(to, handler, sycl::write_only, sycl::no_init),
        tile(sycl::range<2>(Tile, Tile), handler) {}

  [[sycl::reqd_work_group_size(Tile, Tile)]] void operator()(sycl::nd_item<2> item) const {
    const std::size_t y = item.get_local_id(0), x = item.get_local_id(1);
    tile[y][x] = in[item.get_global_id()];
    sycl::group_barrier(item.get_group());
    out[item.get_group(1) * Tile + y][item.get_group(0) * Tile + x] = tile[x][y];
  }

private:
  sycl::accessor<int, 2, sycl::access_mode::read> in;
  sycl::accessor<int, 2, sycl::access_mode::write> out;
  sycl::local_accessor<int, 2> tile;
};

int main() {
  std::vector<int> numbers(Rows * Columns), transposed(Rows * Columns, -1);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<int>(i * 7 % 1000);

  sycl::queue queue;
  int errors = 0;
  {
    sycl::buffer<int, 2> in(numbers.data(), sycl::range<2>(Rows, Columns));
    sycl::buffer<int, 2> out(transposed.data(), sycl::range<2>(Columns, Rows));
    const auto launch = [&](sycl::range<2> local) {
      queue.submit([&](sycl::handler &handler) {
        handler.parallel_for(sycl::nd_range<2>({Rows, Columns}, local),
                             transpose<8>(in, out, handler));
      });
    };
    launch({8, 8});
    try {
      launch({4, 16});
      ++errors; // not reached: the kernel requires 8x8
    } catch (const sycl::exception &error) {
      errors += error.code() != sycl::errc::nd_range;
    }
  }
  for (std::size_t y = 0; y < Rows; ++y)
    for (std::size_t x = 0; x < Columns; ++x)
      errors += transposed[x * Rows + y] != numbers[y * Columns + x];

  // The order of sizes is that of `range`: the last one varies fastest.
  int *sizes = sycl::malloc_shared<int>(3, queue);
  const sycl::nd_range<3> range({4, 4, 8}, {1, 2, 8});
  queue
      .parallel_for(range,
                    [=](sycl::nd_item<3> item) [[sycl::reqd_work_group_size(1, 2, 8)]] {
                      for (int dimension = 0; dimension < 3; ++dimension)
                        sizes[dimension] = static_cast<int>(item.get_local_range(dimension));
                    })
      .wait();
  errors += sizes[0] != 1 || sizes[1] != 2 || sizes[2] != 8;

  // A hint may be wrong.
  queue
      .parallel_for(range,
                    [=](sycl::nd_item<3> item) [[sycl::work_group_size_hint(1, 1, 32)]] {
                      if (item.get_global_linear_id() == 0)
                        sizes[0] = static_cast<int>(item.get_local_range(2));
                    })
      .wait();
  errors += sizes[0] != 8;
  sycl::free(sizes, queue);
  std::printf("work-group attributes: %d errors\n", errors);
  return errors != 0;
}
