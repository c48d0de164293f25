// The flow between two plates by the lattice Boltzmann method with nine velocities. In each step
// the populations of a cell relax towards equilibrium, and each moves to the neighbour in its
// direction; plates send it back. The channel is small, so that one work-group computes many steps
// in a kernel, with barriers between them. The speed becomes the parabola of Poiseuille.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

constexpr int width = 8, height = 12;
constexpr int steps_per_kernel = 250, kernels = 8;
constexpr float force = 1e-5f; // in the direction of the channel
// With this relaxation time, (3 / 16 = (time - 1 / 2) squared), plates are exactly between cells.
constexpr float relaxation_time = 0.9330127f;
constexpr float viscosity = (relaxation_time - 0.5f) / 3;

using populations = sycl::marray<float, 9>;

constexpr int direction_x[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
constexpr int direction_y[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constexpr int opposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};

static float weight(int direction) {
  return direction == 0 ? 4.0f / 9 : direction < 5 ? 1.0f / 9 : 1.0f / 36;
}

struct motion {
  float density, x, y;
};

static motion motion_of(const populations &cell) {
  motion result{0, 0, 0};
  for (int i = 0; i < 9; ++i) {
    result.density += cell[i];
    result.x += cell[i] * direction_x[i];
    result.y += cell[i] * direction_y[i];
  }
  return result;
}

static populations equilibrium(const motion &m) {
  populations result;
  for (int i = 0; i < 9; ++i) {
    const float along = direction_x[i] * m.x + direction_y[i] * m.y;
    result[i] =
        weight(i) * (m.density + 3 * along + 4.5f * along * along - 1.5f * (m.x * m.x + m.y * m.y));
  }
  return result;
}

static populations collide(const populations &cell) {
  populations result = cell - (cell - equilibrium(motion_of(cell))) / relaxation_time;
  for (int i = 0; i < 9; ++i)
    result[i] += 3 * weight(i) * force * direction_x[i];
  return result;
}

int main() {
  sycl::queue queue;
  const sycl::range<2> shape(height, width);
  if (queue.get_device().get_info<sycl::info::device::max_work_group_size>() < shape.size()) {
    std::puts("lattice Boltzmann: work-groups are too small");
    return 0;
  }
  populations *cells = sycl::malloc_device<populations>(shape.size(), queue);
  sycl::event last = queue.parallel_for(shape, [=](sycl::item<2> item) {
    cells[item.get_linear_id()] = equilibrium({1, 0, 0}); // at rest
  });

  for (int kernel = 0; kernel < kernels; ++kernel)
    last = queue.submit([&](sycl::handler &handler) {
      handler.depends_on(last);
      sycl::local_accessor<populations, 2> collided(shape, handler);
      handler.parallel_for(sycl::nd_range<2>(shape, shape), [=](sycl::nd_item<2> item) {
        const int y = static_cast<int>(item.get_local_id(0));
        const int x = static_cast<int>(item.get_local_id(1));
        populations own = cells[item.get_global_linear_id()];
        for (int step = 0; step < steps_per_kernel; ++step) {
          collided[y][x] = collide(own);
          sycl::group_barrier(item.get_group());
          for (int i = 0; i < 9; ++i) {
            const int from_y = y - direction_y[i], from_x = (x - direction_x[i] + width) % width;
            own[i] = from_y < 0 || from_y >= height ? collided[y][x][opposite[i]]
                                                    : collided[from_y][from_x][i];
          }
          sycl::group_barrier(item.get_group());
        }
        cells[item.get_global_linear_id()] = own;
      });
    });
  std::vector<populations> result(shape.size());
  queue.copy(cells, result.data(), result.size(), last).wait();
  sycl::free(cells, queue);

  // The parabola, with plates half a cell outside; half of a step's force counts as reached.
  const float fastest = force * height * height / (8 * viscosity);
  float error = 0, mass = 0;
  for (int i = 0; i < width * height; ++i) {
    const motion m = motion_of(result[i]);
    const float y = static_cast<float>(i / width) + 0.5f;
    const float expected = force / (2 * viscosity) * y * (height - y);
    error = std::fmax(error, std::fabs(m.x + force / 2 - expected) / fastest);
    mass += m.density;
  }
  const bool right = error < 2e-3f && std::fabs(mass / (width * height) - 1) < 1e-3f;
  std::printf("lattice Boltzmann: fastest %.5f: %s\n", fastest, right ? "ok" : "wrong");
  return right ? 0 : 1;
}
