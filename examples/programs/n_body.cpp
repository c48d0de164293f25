// Bodies that attract each other by gravity: all pairs, tile by tile. A work-group copies a tile of
// bodies to local memory, each of its work-items adds up the forces of the tile on its own body,
// and the group goes on to the next tile. Thus each body is read from global memory once per
// work-group rather than once per work-item. The positions alternate between two buffers.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdio>
#include <random>
#include <utility>
#include <vector>

using namespace sycl;

constexpr size_t count = 256, tile_size = 64;
constexpr int steps = 5;
constexpr float time_step = 0.01f;
constexpr float softening = 0.05f; // keeps the force of close bodies finite

// The acceleration of a body at `here` by another; the last component is the mass.
inline float3 attraction(const float4 &here, const float4 &other) {
  float3 between = (other - here).swizzle<elem::x, elem::y, elem::z>();
  float squared = dot(between, between) + softening * softening;
  float inverse = rsqrt(squared);
  return between * (other.w() * inverse * inverse * inverse);
}

void step(queue &q, buffer<float4> &from, buffer<float4> &to, buffer<float3> &velocities) {
  q.submit([&](handler &h) {
    accessor body{from, h, read_only};
    accessor moved{to, h, write_only, no_init};
    accessor velocity{velocities, h, read_write};
    local_accessor<float4> tile{tile_size, h};

    h.parallel_for(nd_range<1>{count, tile_size}, [=](nd_item<1> item) {
      const size_t i = item.get_global_id(0), lane = item.get_local_id(0);
      float4 own = body[i];
      float3 acceleration{0.0f};
      for (size_t first = 0; first < count; first += tile_size) {
        tile[lane] = body[first + lane];
        group_barrier(item.get_group());
        for (size_t k = 0; k < tile_size; ++k)
          acceleration += attraction(own, tile[k]);
        group_barrier(item.get_group());
      }
      velocity[i] += time_step * acceleration;
      own.swizzle<elem::x, elem::y, elem::z>() += time_step * velocity[i];
      moved[i] = own;
    });
  });
}

struct reference {
  double position[3], velocity[3], mass;
};

// The same system in double precision, with Newton's third law: each pair is computed once.
void step(std::vector<reference> &bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      double squared = double(softening) * softening, between[3];
      for (int axis = 0; axis < 3; ++axis) {
        between[axis] = bodies[j].position[axis] - bodies[i].position[axis];
        squared += between[axis] * between[axis];
      }
      const double strength = double(time_step) / (squared * std::sqrt(squared));
      for (int axis = 0; axis < 3; ++axis) {
        bodies[i].velocity[axis] += strength * bodies[j].mass * between[axis];
        bodies[j].velocity[axis] -= strength * bodies[i].mass * between[axis];
      }
    }
  for (reference &body : bodies)
    for (int axis = 0; axis < 3; ++axis)
      body.position[axis] += double(time_step) * body.velocity[axis];
}

int main() {
  std::mt19937 engine(7);
  std::uniform_real_distribution<float> coordinate(-1, 1), mass(0.5f / count, 2.0f / count);
  std::vector<float4> start(count);
  std::vector<reference> expected(count);
  for (std::size_t i = 0; i < count; ++i) {
    const float x = coordinate(engine), y = coordinate(engine), z = coordinate(engine);
    start[i] = float4{x, y, z, mass(engine)};
    expected[i] = {{x, y, z}, {0, 0, 0}, start[i].w()};
  }

  queue q;
  buffer<float4> now{start.data(), range{count}}, next{range<1>{count}};
  const std::vector<float3> at_rest(count, float3{0.0f});
  buffer<float3> velocities{at_rest};
  now.set_final_data(nullptr);
  for (int each = 0; each < steps; ++each) {
    step(q, now, next, velocities);
    step(expected);
    std::swap(now, next);
  }

  host_accessor position{now, read_only};
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i)
    for (int axis = 0; axis < 3; ++axis)
      largest = std::fmax(largest, std::fabs(position[i][axis] - expected[i].position[axis]));
  const bool right = largest < 1e-5;
  std::printf("n-body: %zu bodies after %d steps: %s\n", count, steps, right ? "ok" : "wrong");
  return right ? 0 : 1;
}
