// A Gaussian blur in two passes, along the rows and along the columns: 2 * 9 products for each
// pixel instead of 9 * 9. The weights are binomial coefficients, which come close to the bell curve
// and are whole numbers, so the result is exactly that of the two-dimensional filter, which the
// host computes. The image is in device memory; events order the copies and the passes.
#include <sycl/sycl.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int rows = 60, columns = 100, radius = 4;
constexpr std::array<std::uint32_t, 2 * radius + 1> weights{1, 8, 28, 56, 70, 56, 28, 8, 1};

// Beyond its edges, the image is mirrored.
constexpr int mirrored(int position, int size) {
  return position < 0 ? -position - 1 : position >= size ? 2 * size - position - 1 : position;
}

struct BlurRows {
  const std::uint8_t *from;
  std::uint32_t *to; // sums, not yet divided by the sum of the weights

  void operator()(sycl::item<2> item) const {
    const int column = static_cast<int>(item[1]);
    std::uint32_t sum = 0;
    for (int k = -radius; k <= radius; ++k)
      sum += weights[k + radius] * from[item[0] * columns + mirrored(column + k, columns)];
    to[item.get_linear_id()] = sum;
  }
};

struct BlurColumns {
  const std::uint32_t *from;
  std::uint8_t *to;

  void operator()(sycl::id<2> id) const {
    const int row = static_cast<int>(id[0]);
    std::uint32_t sum = 0;
    for (int k = -radius; k <= radius; ++k)
      sum += weights[k + radius] * from[mirrored(row + k, rows) * columns + id[1]];
    to[id[0] * columns + id[1]] = static_cast<std::uint8_t>((sum + (1 << 15)) >> 16); // rounded
  }
};

int main() {
  constexpr std::size_t size = rows * columns;
  std::vector<std::uint8_t> input(size), output(size);
  for (std::size_t i = 0; i < size; ++i)
    input[i] = static_cast<std::uint8_t>(i % 7 == 0 || i / columns % 11 == 3 ? 255 : i % 60);

  sycl::queue queue;
  auto *image = sycl::malloc_device<std::uint8_t>(size, queue);
  auto *between = sycl::malloc_device<std::uint32_t>(size, queue);
  auto *blurred = sycl::malloc_device<std::uint8_t>(size, queue);
  const sycl::range<2> pixels(rows, columns);
  const sycl::event loaded = queue.copy(input.data(), image, size);
  const sycl::event halfway = queue.parallel_for(pixels, loaded, BlurRows{image, between});
  const sycl::event done = queue.parallel_for(pixels, halfway, BlurColumns{between, blurred});
  queue.copy(blurred, output.data(), size, done).wait();
  for (void *memory : {static_cast<void *>(image), static_cast<void *>(between)})
    sycl::free(memory, queue);
  sycl::free(blurred, queue);

  int errors = 0;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      std::uint64_t sum = 0;
      for (int i = 0; i < 2 * radius + 1; ++i)
        for (int j = 0; j < 2 * radius + 1; ++j)
          sum += std::uint64_t(weights[i]) * weights[j] *
                 input[mirrored(row + i - radius, rows) * columns +
                       mirrored(column + j - radius, columns)];
      errors += output[row * columns + column] != (sum + 32768) / 65536;
    }
  std::printf("Gaussian blur: %d of %zu pixels wrong\n", errors, size);
  return errors != 0;
}
