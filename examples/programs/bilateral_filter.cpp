// A bilateral filter removes noise and keeps edges: a mean of the neighbours, weighted by their
// distance and by how much they differ from the pixel. The weights of distances are computed once,
// on the device, into memory of the device; those of differences for each pair. The host filters in
// double precision, and a step of the image has to survive while noise beside it gets smaller.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

constexpr int rows = 40, columns = 48, radius = 3, width = 2 * radius + 1;
constexpr float near = 2.0f, alike = 0.15f; // standard deviations

static double filtered(const float *image, int row, int column) {
  const double centre = image[row * columns + column];
  double sum = 0, weights = 0;
  for (int i = row - radius; i <= row + radius; ++i)
    for (int j = column - radius; j <= column + radius; ++j)
      if (i >= 0 && i < rows && j >= 0 && j < columns) {
        const double other = image[i * columns + j];
        const double place = std::hypot(i - row, j - column) / near;
        const double difference = (other - centre) / alike;
        const double weight = std::exp(-0.5 * (place * place + difference * difference));
        sum += weight * other;
        weights += weight;
      }
  return sum / weights;
}

// The standard deviation of a part of the image.
static double noise(const float *image, int first_column, int end_column) {
  double sum = 0, squares = 0;
  const int count = rows * (end_column - first_column);
  for (int row = 0; row < rows; ++row)
    for (int column = first_column; column < end_column; ++column) {
      const double value = image[row * columns + column];
      sum += value;
      squares += value * value;
    }
  return std::sqrt(squares / count - sum / count * (sum / count));
}

int main() {
  sycl::queue queue;
  float *input = sycl::malloc_shared<float>(rows * columns, queue);
  float *output = sycl::malloc_shared<float>(rows * columns, queue);
  float *weights = sycl::malloc_device<float>(width * width, queue);
  unsigned seed = 8;
  for (int i = 0; i < rows * columns; ++i) {
    seed = seed * 1664525u + 1013904223u;
    const float random = static_cast<float>(seed >> 8) * 0x1p-24f;
    input[i] = (i % columns < columns / 2 ? 0.2f : 0.8f) + 0.1f * (random - 0.5f);
  }

  const sycl::range<2> mask(width, width);
  const sycl::event table = queue.parallel_for(mask, [=](sycl::item<2> item) {
    const auto place = sycl::float2(item.get_id(0), item.get_id(1)) - float{radius};
    weights[item.get_linear_id()] = sycl::exp(-0.5f * sycl::dot(place, place) / (near * near));
  });
  sycl::event done = queue.submit([&](sycl::handler &handler) {
    handler.depends_on(table);
    handler.parallel_for(sycl::range<2>(rows, columns), [=](sycl::id<2> id) {
      const int row = static_cast<int>(id[0]), column = static_cast<int>(id[1]);
      const float centre = input[row * columns + column];
      float sum = 0, total = 0;
      for (int i = sycl::max(row - radius, 0); i <= sycl::min(row + radius, rows - 1); ++i)
        for (int j = sycl::max(column - radius, 0); j <= sycl::min(column + radius, columns - 1);
             ++j) {
          const float other = input[i * columns + j], difference = (other - centre) / alike;
          const float weight = weights[(i - row + radius) * width + j - column + radius] *
                               sycl::native::exp(-0.5f * difference * difference);
          sum = sycl::fma(weight, other, sum);
          total += weight;
        }
      output[row * columns + column] = sum / total;
    });
  });
  done.wait();

  int errors = 0;
  for (int i = 0; i < rows * columns; ++i)
    errors += !(std::fabs(output[i] - filtered(input, i / columns, i % columns)) < 1e-4);
  for (int half = 0; half < 2; ++half) {
    const int first = half * columns / 2, end = first + columns / 2;
    errors += !(noise(output, first, end) < 0.4 * noise(input, first, end));
  }
  for (int row = 0; row < rows; ++row) {
    const float *step = output + row * columns + columns / 2;
    errors += !(step[0] - step[-1] > 0.5f);
  }
  sycl::free(input, queue);
  sycl::free(output, queue);
  sycl::free(weights, queue);
  std::printf("bilateral filter: %d errors\n", errors);
  return errors != 0;
}
