// Points in space as radius, latitude and longitude, and back: std::hypot of three numbers,
// std::atan2, std::asin, and std::remainder to keep angles in one turn.
#include <sycl/sycl.hpp>

#include <cmath>
#include <iostream>
#include <random>
#include <vector>

struct Point {
  float x, y, z;
};

struct Place {
  float radius, latitude, longitude;
};

constexpr float Pi = 3.14159265f;

Place place_of(const Point &p) {
  float radius = std::hypot(p.x, p.y, p.z);
  float latitude = radius == 0 ? 0 : std::asin(p.z / radius);
  return {radius, latitude, std::atan2(p.y, p.x)};
}

// Turns a place around the axis.
Place turned(const Place &place, float angle) {
  return {place.radius, place.latitude, std::remainder(place.longitude + angle, 2 * Pi)};
}

Point point_at(const Place &place) {
  float flat = place.radius * std::cos(place.latitude);
  return {flat * std::cos(place.longitude), flat * std::sin(place.longitude),
          place.radius * std::sin(place.latitude)};
}

int main() {
  constexpr std::size_t Count = 4096;
  std::minstd_rand random(7);
  std::uniform_real_distribution<float> coordinate(-10, 10);
  std::vector<Point> points(Count);
  for (Point &p : points)
    p = {coordinate(random), coordinate(random), coordinate(random)};
  points[0] = {0, 0, 0};
  points[1] = {-3, 0, 4};

  sycl::queue q;
  Point *device_points = sycl::malloc_shared<Point>(Count, q);
  float *angles = sycl::malloc_shared<float>(Count, q);
  q.memcpy(device_points, points.data(), Count * sizeof(Point)).wait();
  // A quarter of a turn, which exchanges coordinates.
  q.parallel_for(Count, [=](sycl::id<1> i) {
     Place place = turned(place_of(device_points[i]), Pi / 2);
     angles[i] = std::fabs(place.longitude);
     device_points[i] = point_at(place);
   }).wait();

  int wrong = 0;
  for (std::size_t i = 0; i < Count; ++i) {
    const Point &p = points[i], &r = device_points[i];
    float distance = std::hypot(r.x + p.y, r.y - p.x, r.z - p.z);
    if (!(distance < 1e-4f) || angles[i] > Pi + 1e-5f)
      ++wrong;
  }
  sycl::free(device_points, q);
  sycl::free(angles, q);
  std::cout << "spherical coordinates: " << wrong << " errors\n";
  return wrong ? 1 : 0;
}
