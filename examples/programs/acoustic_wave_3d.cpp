// A sound wave in a box, of the fourth order in space: a stencil of 13 points. A work-group of
// three dimensions holds its block with two layers of neighbours in local memory, and the box is
// periodic. The accessors are placeholders that are created once and required by each command
// group. A plane wave is an exact solution of the discrete equations if the frequency is right.
#include <sycl/sycl.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>

constexpr std::size_t depth = 16, height = 24, width = 32;
constexpr std::size_t block = 8, halo = 2, padded = block + 2 * halo;
constexpr int steps = 30;
constexpr float courant = 0.3f; // speed * time step / spacing

// The second derivative: weights of the point itself, of the next and of the one after it.
constexpr float weights[] = {-5.0f / 2, 4.0f / 3, -1.0f / 12};

using field = sycl::buffer<float, 3>;
using placeholder = sycl::accessor<float, 3, sycl::access_mode::read_write, sycl::target::device,
                                   sycl::access::placeholder::true_t>;

class advance {
public:
  advance(const placeholder &before, const placeholder &now, sycl::handler &handler)
      : before(before), now(now), local({padded, padded, padded}, handler) {}

  void operator()(sycl::nd_item<3> item) const {
    const sycl::id<3> origin =
        item.get_group().get_group_id() * sycl::range<3>(block, block, block);
    const sycl::range<3> box = now.get_range();
    for (std::size_t i = item.get_local_linear_id(); i < padded * padded * padded;
         i += item.get_local_range().size()) {
      const sycl::id<3> place(i / padded / padded, i / padded % padded, i % padded);
      local[place] = now[(origin + place + box - halo) % box];
    }
    sycl::group_barrier(item.get_group());

    const sycl::id<3> here = item.get_local_id() + halo;
    float laplacian = 3 * weights[0] * local[here];
    for (int axis = 0; axis < 3; ++axis)
      for (std::size_t distance = 1; distance <= halo; ++distance) {
        sycl::id<3> left = here, right = here;
        left[axis] -= distance;
        right[axis] += distance;
        laplacian += weights[distance] * (local[left] + local[right]);
      }
    // What was before is needed only here: the new value takes its place.
    float &old = before[item.get_global_id()];
    old = 2 * local[here] - old + courant * courant * laplacian;
  }

private:
  placeholder before, now;
  sycl::local_accessor<float, 3> local;
};

struct plane_wave {
  double z, y, x, frequency;

  plane_wave() {
    const double turn = 2 * std::acos(-1.0);
    z = turn / depth, y = 2 * turn / height, x = turn / width;
    double laplacian = 0;
    for (double angle : {z, y, x})
      laplacian +=
          weights[0] + 2 * weights[1] * std::cos(angle) + 2 * weights[2] * std::cos(2 * angle);
    frequency = std::acos(1 + courant * courant * laplacian / 2);
  }

  float at(std::size_t k, std::size_t j, std::size_t i, int time) const {
    return static_cast<float>(std::cos(z * k + y * j + x * i - frequency * time));
  }
};

int main() {
  const sycl::range<3> box(depth, height, width);
  const plane_wave wave;
  field fields[] = {field(box), field(box)};
  for (int time : {0, 1}) {
    const auto value = fields[time].get_host_access(sycl::write_only, sycl::no_init);
    for (std::size_t i = 0; i < box.size(); ++i)
      value[i / width / height][i / width % height][i % width] =
          wave.at(i / width / height, i / width % height, i % width, time);
  }

  sycl::queue queue;
  const std::array<placeholder, 2> levels{placeholder(fields[0]), placeholder(fields[1])};
  for (int time = 1; time < steps; ++time)
    queue.submit([&](sycl::handler &handler) {
      const placeholder &before = levels[(time + 1) % 2], &now = levels[time % 2];
      handler.require(before);
      handler.require(now);
      handler.parallel_for(sycl::nd_range<3>(box, sycl::range<3>(block, block, block)),
                           advance(before, now, handler));
    });

  sycl::host_accessor result(fields[steps % 2], sycl::read_only);
  float error = 0;
  for (std::size_t k = 0; k < depth; ++k)
    for (std::size_t j = 0; j < height; ++j)
      for (std::size_t i = 0; i < width; ++i)
        error = std::fmax(error, std::fabs(result[k][j][i] - wave.at(k, j, i, steps)));
  const bool right = error < 1e-3f;
  std::printf("acoustic wave: %d steps: %s\n", steps, right ? "ok" : "wrong");
  return right ? 0 : 1;
}
