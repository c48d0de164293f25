// A library with a kernel that C++ calls what it calls one of library one.
#include <sycl/sycl.hpp>

#include "libraries.hpp"
#include <cstdio>

SYCL_EXTERNAL int second(int x) { return 10 * main_step(x); }
SYCL_EXTERNAL int wide(int x) {
  double half = 0.5;
  return half * x;
}

class of_library_two;

extern "C" int start(int x) try {
  sycl::queue queue;
  int *result = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=] { *result = -x; }).wait();
  queue.single_task<of_library_two>([=] { *result *= 2; }).wait();
  int found = *result;
  sycl::free(result, queue);
  return found;
} catch (const sycl::exception &e) {
  std::printf("%d %s\n", e.code().value(), e.what());
  return 0;
}
