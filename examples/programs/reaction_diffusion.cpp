// Two substances that diffuse and react, in the model of Gray and Scott, which forms patterns. The
// concentrations are stored in half precision, which halves the traffic of memory, and computed in
// single precision. `vec` holds both: one instruction for two substances. The comparison on the
// host rounds to half precision in the same places.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

constexpr std::size_t size = 48;
constexpr int steps = 24;
constexpr float feed = 0.055f, removal = 0.062f;

template <typename Field> sycl::half2 react(const Field &cells, std::size_t y, std::size_t x) {
  const auto at = [&](std::size_t row, std::size_t column) {
    return cells[row % size * size + column % size].template convert<float>();
  };
  const sycl::float2 here = at(y, x);
  const sycl::float2 beside =
      at(y + 1, x) + at(y + size - 1, x) + at(y, x + 1) + at(y, x + size - 1);
  const sycl::float2 corners = at(y + 1, x + 1) + at(y + 1, x + size - 1) +
                               at(y + size - 1, x + 1) + at(y + size - 1, x + size - 1);
  const sycl::float2 diffusion = 0.2f * beside + 0.05f * corners - here;
  const float reaction = here.x() * here.y() * here.y();
  const sycl::float2 source(feed * (1 - here.x()) - reaction,
                            reaction - (feed + removal) * here.y());
  const sycl::float2 next = here + sycl::float2(1.0f, 0.5f) * diffusion + source;
  return next.convert<sycl::half, sycl::rounding_mode::rte>();
}

// In single precision, with the formula written out for each substance: the fields lie one after
// the other.
static std::vector<float> on_the_host(const std::vector<sycl::half2> &start) {
  std::vector<float> now(2 * size * size), next(now.size());
  for (std::size_t i = 0; i < start.size(); ++i)
    for (int substance = 0; substance < 2; ++substance)
      now[substance * size * size + i] = start[i][substance];
  for (int step = 0; step < steps; ++step, std::swap(now, next))
    for (std::size_t i = 0; i < size * size; ++i) {
      float change[2];
      for (int substance = 0; substance < 2; ++substance) {
        float sum = 0;
        for (std::size_t place = 0; place < 9; ++place) {
          const std::size_t y = (i / size + size - 1 + place / 3) % size;
          const std::size_t x = (i % size + size - 1 + place % 3) % size;
          const float weight = place == 4 ? -1.0f : place % 2 ? 0.2f : 0.05f;
          sum += weight * now[substance * size * size + y * size + x];
        }
        change[substance] = (substance ? 0.5f : 1.0f) * sum;
      }
      const float one = now[i], other = now[size * size + i];
      next[i] = sycl::half(one + change[0] - one * other * other + feed * (1 - one));
      next[size * size + i] =
          sycl::half(other + change[1] + one * other * other - (feed + removal) * other);
    }
  return now;
}

int main() {
  sycl::queue queue;
  if (!queue.get_device().has(sycl::aspect::fp16)) {
    std::puts("this device has no half precision");
    return 0;
  }
  std::vector<sycl::half2> start(size * size, sycl::half2(1.0f, 0.0f));
  for (std::size_t y = 20; y < 30; ++y)
    for (std::size_t x = 16; x < 28; ++x)
      start[y * size + x] = sycl::half2(0.5f, 0.25f);

  sycl::half2 *now = sycl::malloc_device<sycl::half2>(start.size(), queue);
  sycl::half2 *next = sycl::malloc_device<sycl::half2>(start.size(), queue);
  sycl::event ready = queue.memcpy(now, start.data(), start.size() * sizeof(sycl::half2));
  for (int step = 0; step < steps; ++step) {
    ready = queue.parallel_for(sycl::range(size, size), ready, [=](sycl::id<2> id) {
      next[id[0] * size + id[1]] = react(now, id[0], id[1]);
    });
    std::swap(now, next);
  }
  std::vector<sycl::half2> result(start.size());
  queue.memcpy(result.data(), now, result.size() * sizeof(sycl::half2), ready).wait();
  sycl::free(now, queue);
  sycl::free(next, queue);

  // Another order of the additions can round some numbers to the neighbouring one.
  const std::vector<float> expected = on_the_host(start);
  float error = 0, change = 0;
  for (std::size_t i = 0; i < result.size(); ++i)
    for (int substance = 0; substance < 2; ++substance) {
      const float value = result[i][substance];
      error = std::fmax(error, std::fabs(value - expected[substance * size * size + i]));
      change = std::fmax(change, std::fabs(value - static_cast<float>(start[i][substance])));
    }
  const bool right = error < 5e-3f && change > 0.2f;
  std::printf("reaction and diffusion: %s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
