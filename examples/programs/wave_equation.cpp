// A vibrating string, divided between two queues. Each half has points of its own and a copy of one
// point of the other half, which is exchanged after each step; the runtime orders kernels and
// copies by their accessors. The square of the Courant number is a specialization constant. In the
// end two sub-buffers gather the halves, and a host task measures how far they are from the exact
// solution of the difference equation, a standing wave.
#include <sycl/sycl.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>

constexpr std::size_t points = 2048, half = points / 2; // inside; both ends are fixed
constexpr int steps = 60, waves = 3;

constexpr sycl::specialization_id<float> courant_squared(1.0f);

// A half of the string: its points are 1 to `half`; 0 and `half + 1` are neighbours.
struct part {
  sycl::queue queue;
  std::array<sycl::buffer<float>, 3> levels; // of time: before, now, after

  sycl::buffer<float> &at(int time) { return levels[(time + 3) % 3]; }
};

static double standing_wave(std::size_t point, int time, double squared) {
  const double pi = std::acos(-1.0), angle = waves * pi / (points + 1);
  const double frequency = 2 * std::asin(std::sqrt(squared) * std::sin(angle / 2));
  return std::sin(angle * point) * std::cos(frequency * time);
}

static void start(part &part, std::size_t offset, double squared) {
  for (int time : {-1, 0}) {
    sycl::host_accessor value(part.at(time), sycl::write_only, sycl::no_init);
    for (std::size_t i = 0; i < value.size(); ++i)
      value[i] = static_cast<float>(standing_wave(offset + i, time, squared));
  }
  // The fixed ends, in the level that no step has written yet.
  sycl::host_accessor value(part.at(1), sycl::write_only, sycl::no_init);
  value[0] = value[half + 1] = 0;
}

static void step(part &part, int time, float squared) {
  part.queue.submit([&](sycl::handler &handler) {
    handler.set_specialization_constant<courant_squared>(squared);
    sycl::accessor before(part.at(time - 1), handler, sycl::read_only);
    sycl::accessor now(part.at(time), handler, sycl::read_only);
    sycl::accessor after(part.at(time + 1), handler, sycl::write_only);
    handler.parallel_for(half, [=](sycl::item<1> item, sycl::kernel_handler constants) {
      const std::size_t i = item.get_linear_id() + 1;
      const float factor = constants.get_specialization_constant<courant_squared>();
      after[i] = 2 * now[i] - before[i] + factor * (now[i - 1] - 2 * now[i] + now[i + 1]);
    });
  });
}

static void copy_point(part &from, std::size_t from_point, part &to, std::size_t to_point,
                       int time) {
  to.queue.submit([&](sycl::handler &handler) {
    sycl::accessor source(from.at(time), handler, sycl::range(1), sycl::id(from_point),
                          sycl::read_only);
    sycl::accessor target(to.at(time), handler, sycl::range(1), sycl::id(to_point),
                          sycl::write_only);
    handler.copy(source, target);
  });
}

static part make_part() {
  const sycl::range<1> size(half + 2);
  return {sycl::queue(),
          {sycl::buffer<float>(size), sycl::buffer<float>(size), sycl::buffer<float>(size)}};
}

static float largest_error(float squared) {
  part left = make_part(), right = make_part();
  start(left, 0, squared);
  start(right, half, squared);
  for (int time = 0; time < steps; ++time) {
    step(left, time, squared);
    step(right, time, squared);
    copy_point(left, half, right, 0, time + 1);
    copy_point(right, 1, left, half + 1, time + 1);
  }

  sycl::buffer<float> whole{sycl::range(points)};
  for (part *each : {&left, &right}) {
    sycl::buffer<float> place(whole, each == &left ? 0 : half, half);
    each->queue.submit([&](sycl::handler &handler) {
      sycl::accessor from(each->at(steps), handler, half, sycl::id<1>(1), sycl::read_only);
      sycl::accessor to(place, handler, sycl::write_only, sycl::no_init);
      handler.copy(from, to);
    });
  }

  float largest = 0;
  left.queue
      .submit([&](sycl::handler &handler) {
        sycl::accessor value(whole, handler, sycl::read_only_host_task);
        handler.host_task([=, &largest] {
          for (std::size_t i = 0; i < points; ++i)
            largest = std::fmax(
                largest,
                std::fabs(value[i] - static_cast<float>(standing_wave(i + 1, steps, squared))));
        });
      })
      .wait();
  return largest;
}

int main() {
  // With the number 1 the difference equation has the solution of the differential equation.
  bool right = true;
  for (float squared : {1.0f, 0.64f, 0.25f})
    right = right && largest_error(squared) < 1e-3f;
  std::printf("wave equation: %s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
