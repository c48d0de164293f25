// Nobody catches the exception: the program ends as any C++ program does then.
#include <sycl/sycl.hpp>

#include <cstdio>

int main() {
  std::puts("before");
  std::fflush(stdout);
  sycl::queue queue([](const sycl::device &) { return -1; });
  std::puts("after");
}
