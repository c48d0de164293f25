// The Poisson equation on a box, solved by Jacobi's iteration with the stencil of seven points:
// each point becomes the mean of its six neighbours plus the source. The boundary values and the
// source are those of u = x^2 + 2 y^2 - z^2 + x y z, for which the stencil is exact. Every 20
// iterations a reduction measures the change, and the loop ends when it is small.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdio>
#include <utility>

constexpr std::size_t depth = 10, height = 12, width = 14;
constexpr float spacing = 0.1f;

using field = sycl::buffer<float, 3>;

static float solution(sycl::id<3> place) {
  const float z = spacing * place[0], y = spacing * place[1], x = spacing * place[2];
  return x * x + 2 * y * y - z * z + x * y * z;
}

constexpr float laplacian = 2 + 4 - 2; // of the solution: the same everywhere

static void set_up(sycl::queue &queue, field &values) {
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor value(values, handler, sycl::write_only, sycl::no_init);
    const sycl::range<3> shape = values.get_range();
    handler.parallel_for(shape, [=](sycl::item<3> item) {
      bool edge = false;
      for (int axis = 0; axis < 3; ++axis)
        edge = edge || item[axis] == 0 || item[axis] + 1 == item.get_range(axis);
      value[item] = edge ? solution(item.get_id()) : 0.0f;
    });
  });
}

static void iterate(sycl::queue &queue, field &from, field &to) {
  queue.submit([&](sycl::handler &handler) {
    const sycl::range<3> inside(depth - 2, height - 2, width - 2);
    sycl::accessor old(from, handler, sycl::read_only);
    sycl::accessor now(to, handler, inside, sycl::id<3>(1, 1, 1), sycl::write_only);
    handler.parallel_for(inside, [=](sycl::id<3> id) {
      const std::size_t z = id[0] + 1, y = id[1] + 1, x = id[2] + 1;
      const float sum = old[z - 1][y][x] + old[z + 1][y][x] + old[z][y - 1][x] + old[z][y + 1][x] +
                        old[z][y][x - 1] + old[z][y][x + 1];
      now[id] = (sum - spacing * spacing * laplacian) / 6;
    });
  });
}

static float largest_difference(sycl::queue &queue, field &one, field &other) {
  sycl::buffer<float> largest{sycl::range<1>(1)};
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor left(one, handler, sycl::read_only), right(other, handler, sycl::read_only);
    auto maximum = sycl::reduction(largest, handler, sycl::maximum<float>(),
                                   sycl::property::reduction::initialize_to_identity());
    handler.parallel_for(one.get_range(), maximum, [=](sycl::id<3> id, auto &most) {
      most.combine(sycl::fabs(left[id] - right[id]));
    });
  });
  return sycl::host_accessor(largest)[0];
}

int main() {
  const sycl::range<3> shape(depth, height, width);
  sycl::queue queue;
  field now(shape), next(shape);
  set_up(queue, now);
  set_up(queue, next);

  int iterations = 0;
  float change = 1;
  while (change > 2e-7f && iterations < 2000) {
    for (int i = 0; i < 20; ++i, ++iterations) {
      iterate(queue, now, next);
      std::swap(now, next);
    }
    change = largest_difference(queue, now, next);
  }

  sycl::host_accessor result(now, sycl::read_only);
  float error = 0;
  for (std::size_t z = 0; z < depth; ++z)
    for (std::size_t y = 0; y < height; ++y)
      for (std::size_t x = 0; x < width; ++x)
        error = std::fmax(error, std::fabs(result[z][y][x] - solution({z, y, x})));
  const bool right = iterations > 20 && iterations < 2000 && error < 1e-4f;
  std::printf("Poisson equation in three dimensions: %s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
