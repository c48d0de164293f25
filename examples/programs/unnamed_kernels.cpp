// Kernels without a name: two in one function, one in a loop, one in a lambda of the host.
#include <sycl/sycl.hpp>

#include <cstdio>

int main() {
  sycl::queue queue;
  int *value = sycl::malloc_shared<int>(1, queue);

  *value = 1;
  queue.single_task([=] { *value += 10; }).wait();
  queue.single_task([=] { *value *= 2; }).wait();
  for (int i = 0; i < 3; ++i)
    queue.single_task([=] { *value += i; }).wait();

  auto add = [&](int by) { queue.single_task([=] { *value += by; }).wait(); };
  add(100);
  add(200);

  std::printf("value %d\n", *value);
  bool right = *value == 325;
  sycl::free(value, queue);
  return right ? 0 : 1;
}
