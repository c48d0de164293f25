// The function that other sources call. It breaks its word: 1e-3 is a double.
#include <sycl/sycl.hpp>

#include "forces.hpp"

static float softened(float distance) { return squared(distance) + 1e-3; }

float attraction(float distance) {
  return static_cast<float>(sycl::half(1.0f)) / softened(distance);
}
