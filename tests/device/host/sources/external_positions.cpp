// Calls functions of another source in a kernel, each of which is declared in another way. Prints
// the sum of their results.
#include "external_positions.hpp"

#include <cstdio>

int main() {
  sycl::queue queue;
  int *sum = sycl::malloc_shared<int>(1, queue);
  queue
      .single_task([=] {
        counter c;
        *sum = first(1) + second(1) + third(1) + fourth(1) + fifth(1) + sixth(1) + seventh(1) +
               eighth(1) + ninth(1) + tenth(1) + c.get(1) + counter::eleventh(1) + twelfth(1) +
               inner::thirteenth(1) + fourteenth(1) + fifteenth(1);
      })
      .wait();
  std::printf("%d\n", *sum);
  sycl::free(sum, queue);
}
