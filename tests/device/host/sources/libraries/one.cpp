// A library whose kernels and functions need those of others. Built with another FACTOR, it is
// another version of itself.
#include <sycl/sycl.hpp>

#include "libraries.hpp"
#include <cstdio>

#ifndef FACTOR
#define FACTOR 2
#endif

SYCL_EXTERNAL int scale(int x) { return FACTOR * x; }
SYCL_EXTERNAL int first(int x) { return 10 * second(x); }

extern "C" int start(int x) {
  sycl::queue queue;
  int *result = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=] { *result = 100 * FACTOR + main_step(x); }).wait();
  int found = *result;
  sycl::free(result, queue);
  return found;
}

// As it is made and as it goes, the library's kernels are there.
struct whole_life {
  whole_life() { std::printf("hello %d\n", start(5)); }
  ~whole_life() { std::printf("bye %d\n", start(5)); }
};
#ifdef WHOLE_LIFE
static whole_life life;
#endif
