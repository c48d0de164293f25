// Edges of an image by Sobel's operator. Each work-group copies its tile and a border of one pixel
// to local memory, so that every pixel is read once from global memory instead of nine times. The
// gradient is that of whole numbers, so the host's result, which comes from the separable form of
// the operator (a difference of smoothed lines), has to be equal.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <vector>

constexpr int rows = 96, columns = 128, tile = 16, padded = tile + 2;

using image = std::vector<unsigned char>;

static image edges_on_device(const image &input) {
  image output(input.size());
  sycl::queue queue;
  const sycl::range<2> size(rows, columns);
  sycl::buffer<unsigned char, 2> from(input.data(), size), to(size);
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor in(from, handler, sycl::read_only);
    sycl::accessor out(to, handler, sycl::write_only, sycl::no_init);
    sycl::local_accessor<int, 2> pixels(sycl::range<2>(padded, padded), handler);
    const sycl::nd_range<2> tiles({rows, columns}, {tile, tile});
    handler.parallel_for(tiles, [=](sycl::nd_item<2> item) {
      // The tile with its border has more pixels than the work-group has work-items.
      const int first_row = static_cast<int>(item.get_group(0) * tile) - 1;
      const int first_column = static_cast<int>(item.get_group(1) * tile) - 1;
      for (std::size_t i = item.get_local_linear_id(); i < padded * padded; i += tile * tile) {
        const int row = static_cast<int>(i / padded), column = static_cast<int>(i % padded);
        pixels[row][column] = in[sycl::clamp(first_row + row, 0, rows - 1)]
                                [sycl::clamp(first_column + column, 0, columns - 1)];
      }
      sycl::group_barrier(item.get_group());

      const std::size_t i = item.get_local_id(0) + 1, j = item.get_local_id(1) + 1;
      int across = 0, down = 0;
      for (int k = -1; k <= 1; ++k) {
        const int weight = k == 0 ? 2 : 1;
        across += weight * (pixels[i + k][j + 1] - pixels[i + k][j - 1]);
        down += weight * (pixels[i + 1][j + k] - pixels[i - 1][j + k]);
      }
      const auto strength = sycl::abs(across) + sycl::abs(down);
      out[item.get_global_id()] = static_cast<unsigned char>(sycl::min(strength, 255));
    });
  });
  const sycl::host_accessor result(to, sycl::read_only); // waits
  std::copy(result.begin(), result.end(), output.begin());
  return output;
}

int main() {
  image input(rows * columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      const int y = i - 40, x = j - 60;
      const bool disc = x * x + y * y < 30 * 30, stripe = (i + j) % 32 < 5;
      input[i * columns + j] = static_cast<unsigned char>(disc ? 200 - i : stripe ? 90 : j / 2);
    }
  const image output = edges_on_device(input);

  const auto pixel = [&](int row, int column) {
    return int(input[std::clamp(row, 0, rows - 1) * columns + std::clamp(column, 0, columns - 1)]);
  };
  const auto smoothed = [](int before, int at, int after) { return before + 2 * at + after; };
  int errors = 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      const auto column = [&](int k) {
        return smoothed(pixel(i - 1, k), pixel(i, k), pixel(i + 1, k));
      };
      const auto row = [&](int k) {
        return smoothed(pixel(k, j - 1), pixel(k, j), pixel(k, j + 1));
      };
      const int strength =
          std::abs(column(j + 1) - column(j - 1)) + std::abs(row(i + 1) - row(i - 1));
      errors += output[i * columns + j] != std::min(strength, 255);
    }
  std::printf("Sobel's operator: %d of %d pixels wrong\n", errors, rows * columns);
  return errors != 0;
}
