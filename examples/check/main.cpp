// Particles that attract each other; half of the kernels need aspects that not every device has.
// See what 'dovetail check --targets intel_gpu_pvc,intel_gpu_acm_g10 main.cpp forces.cpp' says.
#include <sycl/sycl.hpp>

#include "forces.hpp"

#include <cstdio>

template <typename T> static T energy(const Particle<T> &particle) {
  return squared(particle.velocity) / 2;
}

template <typename T> static void move(sycl::queue &queue, Particle<T> *particles, T seconds) {
  queue.parallel_for(sycl::nd_range<1>(16, 16), Move<T>(particles, seconds)).wait();
}

int main() {
  constexpr int n = 16;
  sycl::queue queue;
  auto *particles = sycl::malloc_shared<Particle<float>>(n, queue);
  for (int i = 0; i < n; ++i)
    particles[i] = {static_cast<float>(i + 1), 0};

  queue
      .parallel_for<class Attract>(
          n, [=](sycl::id<1> i) { particles[i].velocity -= attraction(particles[i].position); })
      .wait();
  move(queue, particles, 0.5f);
  if (queue.get_device().has(sycl::aspect::fp64)) {
    auto *precise = sycl::malloc_shared<Particle<double>>(n, queue);
    for (int i = 0; i < n; ++i)
      precise[i] = {particles[i].position, particles[i].velocity};
    move(queue, precise, 0.5);
    sycl::free(precise, queue);
  }

  float *energies = sycl::malloc_shared<float>(n, queue);
  queue.parallel_for(n, [=](sycl::id<1> i) { energies[i] = energy(particles[i]); }).wait();
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += energies[i];
  std::printf("energy: %.2f\n", sum);
  sycl::free(energies, queue);
  sycl::free(particles, queue);
  return 0;
}
