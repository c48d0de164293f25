// Ten kernels that each need the result of the one before: only the accessors express this order.
#include <sycl/sycl.hpp>

#include <cstdio>

int main() {
  sycl::queue first, second;
  constexpr int n = 256;
  sycl::buffer<int> a(n), b(n);

  first.submit([&](sycl::handler &handler) {
    sycl::accessor out(a, handler, sycl::write_only, sycl::no_init);
    handler.parallel_for(n, [=](sycl::id<1> i) { out[i] = static_cast<int>(i); });
  });
  for (int round = 0; round < 10; ++round) {
    // The queues take turns, so order within a queue is not enough.
    sycl::queue &queue = round % 2 ? first : second;
    sycl::buffer<int> &from = round % 2 ? b : a;
    sycl::buffer<int> &to = round % 2 ? a : b;
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor in(from, handler, sycl::read_only);
      sycl::accessor out(to, handler, sycl::write_only, sycl::no_init);
      handler.parallel_for(n, [=](sycl::id<1> i) { out[i] = 2 * in[(i[0] + 1) % n]; });
    });
  }

  int errors = 0;
  sycl::host_accessor result(a, sycl::read_only);
  for (int i = 0; i < n; ++i)
    errors += result[i] != 1024 * ((i + 10) % n);
  std::printf("chain of buffers: %d errors\n", errors);
  return errors != 0;
}
