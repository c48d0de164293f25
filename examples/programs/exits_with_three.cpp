// The program ends in the middle: what was registered for the end is done, the rest is not.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <cstdlib>

struct announcer {
  const char *text;
  ~announcer() { std::puts(text); }
};

static announcer at_the_end{"destructor of a static object"};

int main() {
  announcer never{"destructor of a local object"};
  std::atexit([] { std::puts("function for the end"); });

  sycl::queue queue;
  int *value = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=] { *value = 3; }).wait();
  std::puts("leaving");
  std::exit(*value);
}
