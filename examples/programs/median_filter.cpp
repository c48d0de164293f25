// The median of 3x3 pixels removes single wrong pixels and keeps edges. Work-items sort by a
// network of comparisons without branches, and since minimum and maximum of vectors work on each
// element, the four channels of a pixel at a time. The host finds medians with std::nth_element.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <vector>

constexpr std::size_t rows = 48, columns = 80;

using pixel = sycl::uchar4;

template <typename T> void order(T &low, T &high) {
  const T least = sycl::min(low, high);
  high = sycl::max(low, high);
  low = least;
}

// Three columns are sorted; then the median is that of the greatest of the least, the median of the
// medians, and the least of the greatest elements.
template <typename T> T median(std::array<T, 9> v) {
  for (std::size_t i = 0; i < 9; i += 3) {
    order(v[i], v[i + 1]);
    order(v[i + 1], v[i + 2]);
    order(v[i], v[i + 1]);
  }
  T low = sycl::max(sycl::max(v[0], v[3]), v[6]);
  T high = sycl::min(sycl::min(v[2], v[5]), v[8]);
  order(v[1], v[4]);
  T middle = sycl::max(v[1], sycl::min(v[4], v[7]));
  order(low, middle);
  return sycl::max(low, sycl::min(middle, high));
}

int main() {
  std::vector<pixel> input(rows * columns), output(input.size());
  unsigned seed = 1;
  for (pixel &each : input)
    for (int channel = 0; channel < 4; ++channel) {
      seed = seed * 1664525u + 1013904223u;
      each[channel] = static_cast<unsigned char>(seed >> 24);
    }
  {
    sycl::queue queue;
    sycl::buffer<pixel, 2> from(input.data(), {rows, columns}), to(output.data(), {rows, columns});
    // At the edges the input is kept, the rest is filtered: two commands, the second a kernel
    // whose accessor counts from the offset of the inner part.
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor in(from, handler, sycl::read_only);
      sycl::accessor out(to, handler, sycl::write_only, sycl::no_init);
      handler.copy(in, out);
    });
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor in(from, handler, sycl::read_only);
      const sycl::range<2> inner(rows - 2, columns - 2);
      sycl::accessor out(to, handler, inner, sycl::id<2>(1, 1), sycl::write_only);
      handler.parallel_for(inner, [=](sycl::id<2> id) {
        std::array<pixel, 9> around;
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t j = 0; j < 3; ++j)
            around[3 * i + j] = in[id + sycl::id<2>(i, j)];
        out[id] = median(around);
      });
    });
  }

  int errors = 0;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      for (int channel = 0; channel < 4; ++channel) {
        const std::size_t at = row * columns + column;
        unsigned char expected = input[at][channel];
        if (row > 0 && row < rows - 1 && column > 0 && column < columns - 1) {
          std::array<unsigned char, 9> around;
          for (std::size_t i = 0; i < 9; ++i)
            around[i] = input[(row + i / 3 - 1) * columns + column + i % 3 - 1][channel];
          std::nth_element(around.begin(), around.begin() + 4, around.end());
          expected = around[4];
        }
        errors += output[at][channel] != expected;
      }
  std::printf("median filter: %d errors\n", errors);
  return errors != 0;
}
