// Kernels of this source call functions of another one, of a static and of a shared library.
#include <sycl/sycl.hpp>

#include "shapes.hpp"
#include <iostream>

int main() {
  sycl::queue queue;
  const size_t count = 4;
  float *values = sycl::malloc_shared<float>(count, queue);
  queue
      .parallel_for(count,
                    [=](sycl::id<1> i) {
                      float radius = i[0];
                      values[i] = sum_of_halves(circle_area(radius), scaled(radius));
                    })
      .wait();
  scale_all(queue, values, count);
  for (size_t i = 0; i < count; ++i)
    std::cout << values[i] << (i + 1 < count ? " " : "\n");
  sycl::free(values, queue);
}
