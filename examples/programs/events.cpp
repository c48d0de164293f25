// Orders kernels on plain pointers by events: two start at once, a third waits for both.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <vector>

int main() {
  constexpr int n = 1024;
  sycl::queue queue;
  int *a = sycl::malloc_shared<int>(n, queue);
  int *b = sycl::malloc_shared<int>(n, queue);

  sycl::event set_a = queue.parallel_for(n, [=](sycl::id<1> i) { a[i] = 5; });
  sycl::event set_b = queue.submit([&](sycl::handler &handler) {
    handler.parallel_for(n, [=](sycl::id<1> i) { b[i] = static_cast<int>(i); });
  });
  sycl::event sum = queue.submit([&](sycl::handler &handler) {
    handler.depends_on({set_a, set_b});
    handler.parallel_for(n, [=](sycl::id<1> i) { a[i] += b[i]; });
  });
  // The shortcuts accept the events to wait for after the range.
  sycl::event twice = queue.parallel_for(n, sycl::event(sum), [=](sycl::id<1> i) { a[i] *= 2; });
  std::vector<sycl::event> before{twice, set_b};
  sycl::event last = queue.single_task(before, [=] { a[0] += b[n - 1]; });
  last.wait();

  bool right = a[0] == 10 + n - 1 && a[1] == 12 && a[n - 1] == 2 * (5 + n - 1);
  right = right && last.get_info<sycl::info::event::command_execution_status>() ==
                       sycl::info::event_command_status::complete;
  sycl::event::wait({set_a, set_b});
  sycl::free(a, queue);
  sycl::free(b, queue);
  std::printf("events: %s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
