// The heat equation on a square plate with cold edges, by explicit steps between two arrays in
// device memory. A work-group copies its tile of the plate with a border of one point to local
// memory. The start is an eigenvector of the discrete Laplace operator: each step multiplies all
// temperatures by a known factor, so that the result is known without computing on the host.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

constexpr int inner = 64, width = inner + 2; // points inside, and with the edges
constexpr int tile = 16;
constexpr int steps = 50;
constexpr float diffusion = 0.2f; // conductivity * time step / spacing^2; stable up to 0.25

using local_tile = sycl::local_accessor<float, 2>;

// One step as a function object: `auto` would do, but a type can be named and used in several
// places.
class heat_step {
public:
  heat_step(const float *from, float *to, local_tile points) : from(from), to(to), points(points) {}

  void operator()(sycl::nd_item<2> item) const {
    const int y = static_cast<int>(item.get_local_id(0)),
              x = static_cast<int>(item.get_local_id(1));
    const int row = static_cast<int>(item.get_group(0)) * tile;
    const int column = static_cast<int>(item.get_group(1)) * tile;

    // The tile with its border has more points than the group has work-items.
    for (int i = y * tile + x; i < (tile + 2) * (tile + 2); i += tile * tile) {
      const int tile_row = i / (tile + 2), tile_column = i % (tile + 2);
      points[tile_row][tile_column] = from[(row + tile_row) * width + column + tile_column];
    }
    sycl::group_barrier(item.get_group());

    const float here = points[y + 1][x + 1];
    const float around =
        points[y][x + 1] + points[y + 2][x + 1] + points[y + 1][x] + points[y + 1][x + 2];
    to[(row + y + 1) * width + column + x + 1] = here + diffusion * (around - 4 * here);
  }

private:
  const float *from;
  float *to;
  local_tile points;
};

int main() {
  const double pi = std::acos(-1.0);
  const double step_angle = pi / (inner + 1);
  const auto mode = [&](int y, int x) { // two waves in one direction, one in the other
    return std::sin(2 * step_angle * y) * std::sin(step_angle * x);
  };
  std::vector<float> plate(width * width, 0.0f);
  for (int y = 1; y <= inner; ++y)
    for (int x = 1; x <= inner; ++x)
      plate[y * width + x] = static_cast<float>(mode(y, x));

  sycl::queue queue;
  float *now = sycl::malloc_device<float>(plate.size(), queue);
  float *next = sycl::malloc_device<float>(plate.size(), queue);
  sycl::event cleared = queue.fill(next, 0.0f, plate.size());
  sycl::event ready = queue.copy(plate.data(), now, plate.size());
  for (int step = 0; step < steps; ++step) {
    ready = queue.submit([&](sycl::handler &handler) {
      handler.depends_on({ready, cleared});
      local_tile points(sycl::range<2>(tile + 2, tile + 2), handler);
      handler.parallel_for(sycl::nd_range<2>({inner, inner}, {tile, tile}),
                           heat_step(now, next, points));
    });
    std::swap(now, next);
  }
  queue.copy(now, plate.data(), plate.size(), ready).wait();
  sycl::free(now, queue);
  sycl::free(next, queue);

  const double decay = 1 + 2.0 * diffusion * (std::cos(2 * step_angle) + std::cos(step_angle) - 2);
  double largest = 0;
  for (int y = 0; y < width; ++y)
    for (int x = 0; x < width; ++x)
      largest =
          std::fmax(largest, std::fabs(plate[y * width + x] - std::pow(decay, steps) * mode(y, x)));
  const bool right = largest < 1e-5 && plate[width + 1] > 1e-4f;
  std::printf("heat equation: %d steps: %s\n", steps, right ? "ok" : "wrong");
  return right ? 0 : 1;
}
