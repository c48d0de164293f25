// Queues and buffers that are dropped with work under way, and nothing else that would make the
// runtime look after them; prints how the memory of the process grows, in MB.
#include <cstdio>
#include <fstream>
#include <sycl/sycl.hpp>
#include <unistd.h>

long megabytes() {
  long all = 0, here = 0;
  std::ifstream("/proc/self/statm") >> all >> here;
  return here * sysconf(_SC_PAGESIZE) >> 20;
}

void drop(int value) {
  sycl::queue q;
  sycl::buffer<int> memory(1 << 18);
  q.submit([&](sycl::handler &h) {
    sycl::accessor x(memory, h, sycl::write_only, sycl::no_init);
    h.parallel_for(memory.get_range(), [=](sycl::id<1> i) { x[i] = value; });
  });
}

int main() {
  for (int i = 0; i < 200; ++i)
    drop(i);
  long early = megabytes();
  for (int i = 0; i < 800; ++i)
    drop(i);
  std::printf("%ld\n", megabytes() - early);
}
