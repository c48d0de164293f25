// In an in-order queue each command sees what the one before it did.
#include <sycl/sycl.hpp>

#include <cstdio>

int main() {
  sycl::queue queue{sycl::property::queue::in_order()};
  if (!queue.is_in_order()) {
    std::puts("the queue is not in order");
    return 1;
  }

  constexpr int n = 100;
  int *data = sycl::malloc_device<int>(n, queue);
  int result[n];
  queue.fill(data, 1, n);
  for (int round = 0; round < 5; ++round)
    queue.parallel_for(n, [=](sycl::id<1> i) { data[i] *= 3; });
  queue.single_task([=] { data[0] -= 3; });
  queue.memcpy(result, data, sizeof result);
  queue.wait();
  sycl::free(data, queue);

  bool right = result[0] == 240 && result[1] == 243 && result[n - 1] == 243;
  std::printf("in-order queue: %s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
