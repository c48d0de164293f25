// A cluster of atoms with the potential of Lennard and Jones, by the velocity form of Verlet's
// algorithm. Vectors are marrays. Reductions give the energies, whose sum must stay the same, and
// the momentum, an marray as well, which must stay zero. On the host, the forces are compared with
// the change of the potential energy when an atom is moved a little.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

using vector = sycl::marray<double, 3>;

static double square(const vector &v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

// The potential of a pair, and its derivative divided by the distance, from the squared distance.
static double potential(double squared) {
  const double sixth = 1 / (squared * squared * squared);
  return 4 * (sixth * sixth - sixth);
}
static double slope(double squared) {
  const double sixth = 1 / (squared * squared * squared);
  return 24 * (sixth - 2 * sixth * sixth) / squared;
}

struct atoms {
  std::size_t count;
  vector *position, *velocity, *force;

  vector force_on(std::size_t i) const {
    vector sum(0.0);
    for (std::size_t k = 0; k < count; ++k)
      if (k != i) {
        const vector between = position[k] - position[i];
        sum += between * slope(square(between));
      }
    return sum;
  }
  double potential_of(std::size_t i) const {
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k)
      if (k != i)
        sum += potential(square(position[k] - position[i]));
    return sum;
  }
};

static void step(sycl::queue &queue, atoms all, double time) {
  queue.parallel_for(all.count, [=](sycl::id<1> i) {
    all.velocity[i] += all.force[i] * (time / 2);
    all.position[i] += all.velocity[i] * time;
  });
  queue.parallel_for(all.count, [=](sycl::id<1> i) {
    all.force[i] = all.force_on(i);
    all.velocity[i] += all.force[i] * (time / 2);
  });
}

struct totals {
  double kinetic, potential;
  vector momentum;
};

static totals measure(sycl::queue &queue, atoms all) {
  totals *sums = sycl::malloc_shared<totals>(1, queue);
  const auto from_zero = sycl::property::reduction::initialize_to_identity();
  auto kinetic = sycl::reduction(&sums->kinetic, sycl::plus<double>(), from_zero);
  auto potential = sycl::reduction(&sums->potential, sycl::plus<double>(), from_zero);
  auto momentum = sycl::reduction(&sums->momentum, vector(0.0), sycl::plus<vector>(), from_zero);
  queue
      .parallel_for(sycl::range<1>(all.count), kinetic, potential, momentum,
                    [=](sycl::id<1> i, auto &motion, auto &position, auto &total) {
                      motion += square(all.velocity[i]) / 2;
                      position += all.potential_of(i) / 2; // pairs are counted twice
                      total.combine(all.velocity[i]);
                    })
      .wait();
  const totals result = *sums;
  sycl::free(sums, queue);
  return result;
}

int main() {
  sycl::queue queue(sycl::property::queue::in_order{});
  if (!queue.get_device().has(sycl::aspect::fp64)) {
    std::puts("this device has no double precision");
    return 0;
  }
  constexpr std::size_t side = 4, count = side * side * side;
  vector *memory = sycl::malloc_shared<vector>(3 * count, queue);
  const atoms all{count, memory, memory + count, memory + 2 * count};
  for (std::size_t i = 0; i < count; ++i) { // a cube, slightly out of shape
    const double shift = 0.04 * std::sin(static_cast<double>(7 * i));
    all.position[i] =
        vector{1.1 * (i / side / side) + shift, 1.1 * (i / side % side) - shift, 1.1 * (i % side)};
  }
  queue.fill(all.velocity, vector(0.0), count);
  queue.parallel_for(count, [=](sycl::item<1> i) { all.force[i] = all.force_on(i); }).wait();

  bool right = true;
  for (std::size_t i = 0; i < count; i += 5)
    for (int axis = 0; axis < 3; ++axis) {
      constexpr double little = 1e-5;
      const double force = all.force[i][axis];
      all.position[i][axis] += little;
      const double after = all.potential_of(i);
      all.position[i][axis] -= 2 * little;
      const double before = all.potential_of(i);
      all.position[i][axis] += little;
      right = right && std::fabs(force + (after - before) / (2 * little)) < 1e-4;
    }

  const totals start = measure(queue, all);
  for (int i = 0; i < 100; ++i)
    step(queue, all, 0.002);
  const totals end = measure(queue, all);
  sycl::free(memory, queue);

  const double lost = start.kinetic + start.potential - end.kinetic - end.potential;
  right = right && start.kinetic == 0 && end.kinetic > 1 && std::fabs(lost) < 1e-3 * end.kinetic &&
          square(end.momentum) < 1e-20;
  std::printf("molecular dynamics of %zu atoms: %s\n", count, right ? "ok" : "wrong");
  return right ? 0 : 1;
}
