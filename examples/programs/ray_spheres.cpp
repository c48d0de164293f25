// A ray tracer: for each pixel, a ray meets the nearest of some spheres, or nothing. Vectors are
// float3, with SYCL's geometric functions; the light is that of Lambert, with shadows. A callable
// class holds the scene by value, so the kernel needs no memory but the image. The host checks each
// hit in double precision: that it lies on the sphere, and that no other sphere is before it.
#include <sycl/sycl.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

constexpr std::size_t rows = 48, columns = 64;

struct Ray {
  sycl::float3 origin, direction; // of length 1

  sycl::float3 at(float distance) const { return origin + distance * direction; }
};

struct Sphere {
  sycl::float3 centre;
  float radius;

  // The distance to the nearer point of intersection, or infinity.
  float distance(const Ray &ray) const {
    const sycl::float3 offset = ray.origin - centre;
    const float half = sycl::dot(offset, ray.direction);
    const float square = half * half - sycl::dot(offset, offset) + radius * radius;
    const float nearer = -half - sycl::sqrt(square); // NaN if the ray misses
    return nearer > 1e-3f ? nearer : INFINITY;
  }
};

struct Hit {
  float distance, brightness;
  int sphere; // or -1
};

struct Scene {
  std::array<Sphere, 5> spheres;
  sycl::float3 to_light;

  static Ray camera(std::size_t row, std::size_t column) {
    const float x = (static_cast<float>(column) + 0.5f) / columns * 4 - 2;
    const float y = 1.5f - (static_cast<float>(row) + 0.5f) / rows * 3;
    return {{0, 0, -5}, sycl::normalize(sycl::float3(x, y, 4))};
  }

  Hit nearest(const Ray &ray) const {
    Hit hit{INFINITY, 0, -1};
    for (std::size_t i = 0; i < spheres.size(); ++i) {
      const float distance = spheres[i].distance(ray);
      if (distance < hit.distance)
        hit = {distance, 0, static_cast<int>(i)};
    }
    return hit;
  }

  Hit operator()(const Ray &ray) const {
    Hit hit = nearest(ray);
    if (hit.sphere < 0)
      return hit;
    const sycl::float3 point = ray.at(hit.distance);
    const sycl::float3 normal = sycl::normalize(point - spheres[hit.sphere].centre);
    const bool in_shadow = nearest({point + 0.01f * normal, to_light}).sphere >= 0;
    hit.brightness = in_shadow ? 0 : sycl::fmax(0.0f, sycl::dot(normal, to_light));
    return hit;
  }
};

int main() {
  const Scene scene{{{{{0.0f, 0.0f, 1.0f}, 1.0f},
                      {{1.1f, 0.8f, -0.5f}, 0.4f},
                      {{-1.3f, -0.6f, 0.3f}, 0.6f},
                      {{-0.6f, 0.9f, 2.5f}, 0.7f},
                      {{0.3f, -101.0f, 2.0f}, 100.0f}}}, // the floor
                    sycl::normalize(sycl::float3(2, 3, -2))};

  sycl::queue queue;
  Hit *image = sycl::malloc_host<Hit>(rows * columns, queue);
  queue
      .parallel_for(
          sycl::range<2>(rows, columns),
          [=](auto &item) { image[item.get_linear_id()] = scene(Scene::camera(item[0], item[1])); })
      .wait();

  int errors = 0, lit = 0, dark = 0, missed = 0;
  for (std::size_t i = 0; i < rows * columns; ++i) {
    const Ray ray = Scene::camera(i / columns, i % columns);
    const Hit &hit = image[i];
    missed += hit.sphere < 0;
    lit += hit.sphere >= 0 && hit.brightness > 0;
    dark += hit.sphere >= 0 && hit.brightness == 0;
    for (std::size_t number = 0; number < scene.spheres.size(); ++number) {
      // The point of the ray that is nearest to the centre, and what is left to the surface.
      const Sphere &sphere = scene.spheres[number];
      double along = 0, square = 0;
      for (int k = 0; k < 3; ++k) {
        const double offset = double(sphere.centre[k]) - ray.origin[k];
        along += offset * ray.direction[k];
        square += offset * offset;
      }
      const double room = double(sphere.radius) * sphere.radius - (square - along * along);
      const double distance = along - std::sqrt(std::fmax(room, 0));
      const double tolerance = 1e-4 * sphere.radius * sphere.radius;
      if (hit.sphere == static_cast<int>(number))
        errors +=
            room < -tolerance || (room > tolerance && std::fabs(distance - hit.distance) > 0.01);
      else if (room > tolerance && distance > 0)
        errors += distance < hit.distance - 0.01;
    }
  }
  sycl::free(image, queue);
  errors += missed < 500 || lit < 500 || dark < 50;
  std::printf("rays and spheres: %d errors\n", errors);
  return errors != 0;
}
