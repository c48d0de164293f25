// Quaternions in float4 rotate points: the product of two quaternions is written with swizzles, and
// the result is compared with rotation by a matrix in double precision.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

using sycl::float3;
using sycl::float4;

// The imaginary part is in x, y and z, the real part in w.
static float4 product(const float4 &p, const float4 &q) {
  float3 u = p.swizzle<0, 1, 2>(), v = q.swizzle<0, 1, 2>();
  float3 imaginary = p.w() * v + q.w() * u + sycl::cross(u, v);
  return float4(imaginary, p.w() * q.w() - sycl::dot(u, v));
}

static float4 conjugate(const float4 &q) { return float4(-q.swizzle<0, 1, 2>(), q.w()); }

static float3 rotated(const float4 &rotation, const float3 &point) {
  float4 result = product(product(rotation, float4(point, 0.0f)), conjugate(rotation));
  return result.swizzle<0, 1, 2>();
}

static float4 rotation_about(const float3 &axis, float angle) {
  float cosine;
  float sine = sycl::sincos(angle / 2, sycl::private_ptr<float>(&cosine));
  return float4(sycl::normalize(axis) * sine, cosine);
}

int main() {
  constexpr std::size_t n = 1000;
  std::vector<float3> points(n);
  for (std::size_t i = 0; i < n; ++i)
    points[i] = float3(std::sin(i * 0.3f), std::cos(i * 0.7f), i % 10 * 0.1f);
  std::vector<float3> turned(n);
  const float3 axis(1.0f, 2.0f, -2.0f); // of length 3

  sycl::queue queue;
  {
    sycl::buffer in_buffer(points), out_buffer(turned);
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor in(in_buffer, handler, sycl::read_only);
      sycl::accessor out(out_buffer, handler, sycl::write_only, sycl::no_init);
      handler.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
        float angle = static_cast<float>(i[0]) * 0.01f;
        out[i] = rotated(rotation_about(axis, angle), in[i]);
      });
    });
  }

  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    // Rodrigues' formula.
    const double k[] = {1 / 3.0, 2 / 3.0, -2 / 3.0};
    const double p[] = {points[i].x(), points[i].y(), points[i].z()};
    double angle = static_cast<float>(i) * 0.01f, along = k[0] * p[0] + k[1] * p[1] + k[2] * p[2];
    for (int a = 0; a < 3; ++a) {
      int b = (a + 1) % 3, c = (a + 2) % 3;
      double across = k[b] * p[c] - k[c] * p[b];
      double expected =
          p[a] * std::cos(angle) + across * std::sin(angle) + k[a] * along * (1 - std::cos(angle));
      largest = std::fmax(largest, std::fabs(expected - turned[i][a]));
    }
  }
  bool ok = largest < 1e-5;
  std::printf("quaternions: %s\n", ok ? "ok" : "wrong");
  return ok ? 0 : 1;
}
