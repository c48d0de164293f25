// What the sources share: templates, and a function that another source defines.
#pragma once

#include <sycl/sycl.hpp>

template <typename T> struct Particle {
  T position, velocity;
};

template <typename T> T squared(T value) { return value * value; }

// Callers rely on the attribute.
SYCL_EXTERNAL [[sycl::device_has(sycl::aspect::fp16)]] float attraction(float distance);

// A function object that is a kernel.
template <typename T> class Move {
public:
  Move(Particle<T> *particles, T seconds) : particles(particles), seconds(seconds) {}

  [[sycl::reqd_sub_group_size(16)]] void operator()(sycl::nd_item<1> item) const {
    Particle<T> &particle = particles[item.get_global_id(0)];
    particle.position += particle.velocity * seconds;
  }

private:
  Particle<T> *particles;
  T seconds;
};
