// Geometric functions on a mesh of a sphere: areas and normals of its triangles by cross, dot,
// length and normalize. The sum of the areas is compared with that of Heron's formula on the host
// and with the sphere's; normals point away from the centre.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

using sycl::float3;

struct triangle {
  float3 a, b, c;
};

static float3 on_sphere(int slice, int ring, int slices, int rings) {
  float angle = 2 * 3.14159265f * slice / slices, height = 3.14159265f * ring / rings;
  return float3(std::sin(height) * std::cos(angle), std::sin(height) * std::sin(angle),
                std::cos(height));
}

static double distance(const float3 &a, const float3 &b) {
  double x = double(a.x()) - b.x(), y = double(a.y()) - b.y(), z = double(a.z()) - b.z();
  return std::sqrt(x * x + y * y + z * z);
}

int main() {
  constexpr int slices = 64, rings = 32;
  std::vector<triangle> mesh;
  for (int r = 0; r < rings; ++r)
    for (int s = 0; s < slices; ++s) {
      float3 a = on_sphere(s, r, slices, rings), b = on_sphere(s, r + 1, slices, rings);
      float3 c = on_sphere(s + 1, r + 1, slices, rings), d = on_sphere(s + 1, r, slices, rings);
      if (r + 1 < rings)
        mesh.push_back({a, b, c});
      if (r > 0)
        mesh.push_back({a, c, d});
    }
  std::size_t n = mesh.size();

  sycl::queue queue;
  auto *triangles = sycl::malloc_shared<triangle>(n, queue);
  auto *areas = sycl::malloc_shared<float>(n, queue);
  auto *outward = sycl::malloc_shared<float>(n, queue);
  for (std::size_t i = 0; i < n; ++i)
    triangles[i] = mesh[i];
  queue
      .parallel_for(sycl::range<1>(n),
                    [=](sycl::id<1> i) {
                      triangle t = triangles[i];
                      float3 across = sycl::cross(t.b - t.a, t.c - t.a);
                      float3 centre = (t.a + t.b + t.c) / 3.0f;
                      areas[i] = sycl::length(across) / 2;
                      outward[i] = sycl::dot(sycl::normalize(across), sycl::fast_normalize(centre));
                    })
      .wait();

  int errors = 0;
  double total = 0, expected = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double a = distance(mesh[i].b, mesh[i].c), b = distance(mesh[i].a, mesh[i].c);
    double c = distance(mesh[i].a, mesh[i].b), s = (a + b + c) / 2;
    total += areas[i];
    expected += std::sqrt(std::fmax(0, s * (s - a) * (s - b) * (s - c)));
    errors += outward[i] < 0.99f || outward[i] > 1.01f;
  }
  sycl::free(triangles, queue);
  sycl::free(areas, queue);
  sycl::free(outward, queue);
  errors += std::fabs(total - expected) > 1e-4;
  errors += total > 4 * 3.14159266 || total < 0.99 * 4 * 3.14159265;
  std::printf("triangles: %d errors\n", errors);
  return errors != 0;
}
