// Nothing to do: empty ranges run no work-item, copies of nothing copy nothing.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>

int main() {
  sycl::queue queue;
  int *value = sycl::malloc_shared<int>(1, queue);
  *value = 7;

  std::size_t none = 0;
  queue.parallel_for(sycl::range<1>(none), [=](sycl::id<1>) { *value = 1; }).wait();
  queue.parallel_for(sycl::range<2>(4, none), [=](sycl::id<2>) { *value = 2; }).wait();
  queue.submit([&](sycl::handler &handler) {
    handler.parallel_for(sycl::range<3>(none, 3, 3), [=](sycl::item<3>) { *value = 3; });
  });
  queue.memset(value, 0, none);
  queue.memcpy(value, &none, none);
  queue.wait();

  bool right = *value == 7;
  sycl::free(value, queue);
  sycl::free(nullptr, queue);
  std::printf("nothing: %s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
