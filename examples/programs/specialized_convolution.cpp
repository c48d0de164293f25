// A 3x3 convolution whose coefficients are a specialization constant: the device's compiler sees
// them as literals, so it drops the products with zero and unrolls the loops. One kernel serves as
// blur, sharpening and edge detection, each compiled for its own coefficients.
#include <sycl/sycl.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

using filter = std::array<std::array<float, 3>, 3>;

// By default, the image is copied.
constexpr sycl::specialization_id<filter> coefficients{
    filter{{{{0, 0, 0}}, {{0, 1, 0}}, {{0, 0, 0}}}}};

constexpr int rows = 48, columns = 64;
using image = std::vector<float>;

static int clamped(int position, int size) {
  return position < 0 ? 0 : position >= size ? size - 1 : position;
}

static image convolve(sycl::queue &queue, const image &input, const filter *chosen) {
  image output(input.size());
  {
    sycl::buffer<float, 2> from(input.data(), sycl::range<2>(rows, columns));
    sycl::buffer<float, 2> to(output.data(), sycl::range<2>(rows, columns));
    queue.submit([&](sycl::handler &group) {
      if (chosen)
        group.set_specialization_constant<coefficients>(*chosen);
      sycl::accessor in(from, group, sycl::read_only);
      sycl::accessor out(to, group, sycl::write_only, sycl::no_init);
      group.parallel_for(from.get_range(), [=](sycl::item<2> item, sycl::kernel_handler handler) {
        const filter weights = handler.get_specialization_constant<coefficients>();
        const int row = static_cast<int>(item[0]), column = static_cast<int>(item[1]);
        float sum = 0;
        for (int i = -1; i <= 1; ++i)
          for (int j = -1; j <= 1; ++j)
            sum += weights[i + 1][j + 1] * in[clamped(row + i, rows)][clamped(column + j, columns)];
        out[item] = sum;
      });
    });
  } // waits, and copies the result to `output`
  return output;
}

// The same on the host, pixel by pixel.
static image expected(const image &input, const filter &weights) {
  image output(input.size());
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      double sum = 0;
      for (int place = 0; place < 9; ++place) {
        int from_row = clamped(row + place / 3 - 1, rows);
        int from_column = clamped(column + place % 3 - 1, columns);
        sum += double(weights[place / 3][place % 3]) * input[from_row * columns + from_column];
      }
      output[row * columns + column] = static_cast<float>(sum);
    }
  return output;
}

static bool close(const image &left, const image &right) {
  for (std::size_t i = 0; i < left.size(); ++i)
    if (std::fabs(left[i] - right[i]) > 1e-4f)
      return false;
  return true;
}

int main() {
  sycl::queue queue;
  image input(rows * columns);
  for (int i = 0; i < rows * columns; ++i)
    input[i] = std::sin(0.3f * (i % columns)) * std::cos(0.2f * (i / columns));

  const float n = 1.0f / 9;
  const filter filters[] = {{{{{n, n, n}}, {{n, n, n}}, {{n, n, n}}}},     // blur
                            {{{{0, -1, 0}}, {{-1, 5, -1}}, {{0, -1, 0}}}}, // sharpen
                            {{{{-1, -2, -1}}, {{0, 0, 0}}, {{1, 2, 1}}}}}; // edges
  bool right = convolve(queue, input, nullptr) == input;
  for (const filter &each : filters)
    right = right && close(convolve(queue, input, &each), expected(input, each));
  std::printf("convolution with specialized coefficients: %s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
