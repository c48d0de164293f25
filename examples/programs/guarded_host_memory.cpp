// Host memory that a buffer and threads of the program share: with the property use_mutex, the
// runtime accesses the memory of the program only while it has the mutex.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

int main() {
  constexpr std::size_t n = 5000;
  constexpr int rounds = 20;

  std::mutex guard;
  std::vector<int> counts(n, 1);
  long first_sum = 0, last_sum = 0;
  bool torn = false;

  // The sum of all counts grows when a buffer writes back, never in between.
  std::thread observer([&] {
    for (;;) {
      std::lock_guard<std::mutex> hold(guard);
      const long sum = std::accumulate(counts.begin(), counts.end(), 0L);
      torn = torn || sum % static_cast<long>(n) != 0 || sum < first_sum;
      first_sum = sum;
      if (sum == static_cast<long>(n) * (rounds + 1))
        return;
    }
  });

  sycl::queue queue;
  for (int round = 0; round < rounds; ++round) {
    sycl::buffer<int, 1> buffer(counts.data(), sycl::range<1>(n),
                                {sycl::property::buffer::use_mutex(guard)});
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor count(buffer, handler, sycl::read_write);
      handler.parallel_for(n, [=](sycl::id<1> i) { count[i] += 1; });
    });
    // The end of the buffer waits for the kernel, takes the mutex and writes back.
  }
  observer.join();

  last_sum = std::accumulate(counts.begin(), counts.end(), 0L);
  const bool right = !torn && last_sum == static_cast<long>(n) * (rounds + 1);
  std::printf("guarded host memory: %s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
