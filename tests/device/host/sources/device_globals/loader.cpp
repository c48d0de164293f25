// Loads the library that it is given, twice.
#include <sycl/sycl.hpp>

#include "shared.hpp"
#include <cstdio>
#include <dlfcn.h>

static exp_::device_global<int> own{1};

SYCL_EXTERNAL int next_in_library();

static void use(sycl::queue &q, const char *path) {
  void *library = dlopen(path, RTLD_LAZY);
  auto sum = reinterpret_cast<int (*)(sycl::queue &, int)>(dlsym(library, "sum_in_library"));
  auto read = reinterpret_cast<int (*)(sycl::queue &, const exp_::device_global<int> &)>(
      dlsym(library, "read_in_library"));
  int mine[2] = {};
  q.copy(everywhere, &mine[0]).wait();
  q.copy(own, &mine[1]).wait();
  // Of the library, which has its own; then the program's.
  std::printf("%d %d | ", sum(q, 5), sum(q, 6));
  std::printf("%d %d %d | ", mine[0], mine[1], read(q, everywhere));
  std::printf("%d %d\n", on_device(q, [] { return next_in_library() + own; }),
              on_device(q, [] { return next_in_library() * 10 + (everywhere += 1) % 10; }));
  dlclose(library);
}

int main(int, char **words) {
  sycl::queue q;
  use(q, words[1]);
  use(q, words[1]);
}
