// Memory of the host that the device reads and writes in place, and what the runtime knows about
// pointers.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>

int main() {
  constexpr std::size_t n = 128;
  sycl::queue queue;
  int *host = sycl::malloc_host<int>(n, queue);
  int *device = sycl::malloc_device<int>(n, queue);
  int ordinary = 0;
  for (std::size_t i = 0; i < n; ++i)
    host[i] = static_cast<int>(i);

  queue.parallel_for(n, [=](sycl::id<1> i) {
    device[i] = host[i];
    host[i] = device[i] * device[i];
  });
  queue.wait();

  bool right = true;
  for (std::size_t i = 0; i < n; ++i)
    right = right && host[i] == static_cast<int>(i * i);

  sycl::context context = queue.get_context();
  right = right && sycl::get_pointer_type(host, context) == sycl::usm::alloc::host;
  right = right && sycl::get_pointer_type(device, context) == sycl::usm::alloc::device;
  right = right && sycl::get_pointer_type(&ordinary, context) == sycl::usm::alloc::unknown;
  sycl::free(host, queue);
  sycl::free(device, queue);

  std::printf("host memory: %s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
