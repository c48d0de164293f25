// Small vectors: particles that fly, colours that are mixed, bits that are looked at otherwise.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

struct particle {
  sycl::float3 place;
  sycl::float3 speed;
};

int main() {
  constexpr std::size_t n = 100;
  std::vector<particle> particles(n);
  for (std::size_t i = 0; i < n; ++i) {
    particles[i].place = sycl::float3(0.0f);
    particles[i].speed = sycl::float3(3.0f, 4.0f, static_cast<float>(i));
  }
  std::vector<sycl::float4> colours(n, sycl::float4(0.5f, 0.25f, 0.0f, 1.0f));
  std::vector<sycl::int4> checks(n, sycl::int4(0));

  sycl::queue queue;
  {
    sycl::buffer particle_buffer(particles);
    sycl::buffer colour_buffer(colours);
    sycl::buffer check_buffer(checks);
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor moving(particle_buffer, handler);
      sycl::accessor colour(colour_buffer, handler);
      sycl::accessor check(check_buffer, handler);
      handler.parallel_for(n, [=](sycl::id<1> i) {
        particle &p = moving[i];
        p.place += p.speed * 0.5f;
        p.speed.z() = 0.0f;

        sycl::float4 c = colour[i];
        colour[i] = sycl::clamp(c * 2.0f + sycl::float4(c.y()), 0.0f, 1.0f);

        sycl::int4 counts(1, 2, 3, 4);
        counts = (counts << 2) % 5 - counts;
        sycl::int2 halves = counts.lo() + counts.hi();
        check[i] = sycl::int4(halves, sycl::vec<float, 1>(1.0f).as<sycl::vec<int, 1>>()[0],
                              static_cast<int>(sycl::length(p.speed)));
      });
    });
  }

  int errors = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const sycl::float3 place = particles[i].place;
    errors += place.x() != 1.5f || place.y() != 2.0f || place.z() != 0.5f * static_cast<float>(i);
    const sycl::float4 c = colours[i];
    errors += c.r() != 1.0f || c.g() != 0.75f || c.b() != 0.25f || c.a() != 1.0f;
    // 4 8 12 16, each % 5: 4 3 2 1, less 1 2 3 4: 3 1 -1 -3
    errors += checks[i][0] != 2 || checks[i][1] != -2;
    errors += checks[i][2] != 0x3f800000 || checks[i][3] != 5;
  }
  std::printf("vectors: %d errors\n", errors);
  return errors != 0;
}
