// A convolution of an image with a large mask, by tiles in local memory with a halo as wide as half
// of the mask. The kernel is a class template over the mask's radius; whether pixels outside the
// image are zero or repeat the edge is a specialization constant. An impulse must give the mask
// itself, a constant image its sum, and a random image what the host computes as a sum of shifted
// images.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

constexpr std::size_t rows = 40, columns = 56, tile = 8;

enum class Border { zero, repeat };
constexpr sycl::specialization_id<Border> border(Border::zero);

using image = std::vector<int>;

template <std::size_t radius> class Convolution {
public:
  static constexpr std::size_t width = 2 * radius + 1, padded = tile + 2 * radius;

  Convolution(sycl::buffer<int, 2> &from, sycl::buffer<int, 2> &mask, sycl::buffer<int, 2> &to,
              sycl::handler &handler)
      : from_(from, handler, sycl::read_only), mask_(mask, handler, sycl::read_only),
        to_(to, handler, sycl::write_only, sycl::no_init), tile_({padded, padded}, handler) {}

  void operator()(sycl::nd_item<2> item, sycl::kernel_handler handler) const {
    const bool zero = handler.get_specialization_constant<border>() == Border::zero;
    for (std::size_t i = item.get_local_id(0); i < padded; i += tile)
      for (std::size_t j = item.get_local_id(1); j < padded; j += tile)
        tile_[i][j] = pixel(static_cast<int>(item.get_group(0) * tile + i) - int(radius),
                            static_cast<int>(item.get_group(1) * tile + j) - int(radius), zero);
    sycl::group_barrier(item.get_group());

    const sycl::id<2> corner = item.get_local_id();
    int sum = 0;
    for (std::size_t i = 0; i < width; ++i)
      for (std::size_t j = 0; j < width; ++j)
        sum += mask_[i][j] * tile_[corner + sycl::id<2>(width - 1 - i, width - 1 - j)];
    to_[item.get_global_id()] = sum;
  }

private:
  int pixel(int row, int column, bool zero) const {
    const int near_row = sycl::clamp(row, 0, int(rows) - 1);
    const int near_column = sycl::clamp(column, 0, int(columns) - 1);
    const bool outside = near_row != row || near_column != column;
    return zero && outside ? 0 : from_[near_row][near_column];
  }

  sycl::accessor<int, 2, sycl::access_mode::read> from_, mask_;
  sycl::accessor<int, 2, sycl::access_mode::write> to_;
  sycl::local_accessor<int, 2> tile_;
};

template <std::size_t radius>
image convolved(sycl::queue &queue, const image &input, const image &mask, Border outside) {
  using Kernel = Convolution<radius>;
  image output(input.size());
  const sycl::range<2> size(rows, columns);
  sycl::buffer<int, 2> from(input.data(), size),
      mask_buffer(mask.data(), {Kernel::width, Kernel::width});
  {
    sycl::buffer<int, 2> to(output.data(), size);
    queue.submit([&](sycl::handler &handler) {
      handler.set_specialization_constant<border>(outside);
      handler.parallel_for(sycl::nd_range<2>(size, {tile, tile}),
                           Kernel(from, mask_buffer, to, handler));
    });
  }
  return output;
}

// Adds the image once for each element of the mask, shifted and multiplied; zero outside.
static image sum_of_shifted(const image &input, const image &mask, int radius) {
  image sum(input.size());
  const int width = 2 * radius + 1, last_row = rows, last_column = columns;
  for (int place = 0; place < width * width; ++place)
    for (int row = 0; row < last_row; ++row)
      for (int column = 0; column < last_column; ++column) {
        const int to_row = row + place / width - radius, to = column + place % width - radius;
        if (to_row >= 0 && to_row < last_row && to >= 0 && to < last_column)
          sum[to_row * columns + to] += mask[place] * input[row * columns + column];
      }
  return sum;
}

template <std::size_t radius> int errors(sycl::queue &queue) {
  constexpr std::size_t width = 2 * radius + 1;
  image mask(width * width), impulse(rows * columns), random(rows * columns);
  int sum = 0, wrong = 0;
  for (std::size_t i = 0; i < mask.size(); ++i)
    sum += mask[i] = static_cast<int>(i * i * 7 % 23) - 8;
  for (std::size_t i = 0; i < random.size(); ++i)
    random[i] = static_cast<int>(i * 7919 % 1013);

  impulse[20 * columns + 30] = 1;
  const image answer = convolved<radius>(queue, impulse, mask, Border::zero);
  for (std::size_t i = 0; i < mask.size(); ++i)
    wrong += answer[(20 - radius + i / width) * columns + 30 - radius + i % width] != mask[i];
  wrong += convolved<radius>(queue, image(rows * columns, 3), mask, Border::repeat) !=
           image(rows * columns, 3 * sum);
  wrong +=
      convolved<radius>(queue, random, mask, Border::zero) != sum_of_shifted(random, mask, radius);
  return wrong;
}

int main() {
  sycl::queue queue;
  const int wrong = errors<2>(queue) + errors<4>(queue);
  std::printf("tiled convolution: %d errors\n", wrong);
  return wrong != 0;
}
