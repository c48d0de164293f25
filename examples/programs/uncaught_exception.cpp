// An uncaught exception terminates the program, as in any C++ program.
#include <sycl/sycl.hpp>

#include <cstdio>

int main() {
  std::puts("before");
  std::fflush(stdout);
  sycl::queue queue([](const sycl::device &) { return -1; });
  std::puts("after");
}
