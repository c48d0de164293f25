// The exit status is what main returns.
#include <sycl/sycl.hpp>

int main() {
  sycl::queue queue;
  int *value = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=] { *value = 3; }).wait();
  int result = *value;
  sycl::free(value, queue);
  return result;
}
