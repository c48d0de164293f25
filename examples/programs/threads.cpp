// Several threads, each with a separate queue, and all with a shared one.
#include <sycl/sycl.hpp>

#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

int main() {
  constexpr int threads = 4, rounds = 10, n = 64;
  sycl::queue together;
  std::atomic<int> errors = 0;

  auto work = [&](int number) {
    sycl::queue own;
    std::vector<int> values(n, number);
    for (int round = 0; round < rounds; ++round) {
      sycl::queue &queue = round % 2 ? own : together;
      sycl::buffer buffer(values);
      queue.submit([&](sycl::handler &handler) {
        sycl::accessor data(buffer, handler, sycl::read_write);
        handler.parallel_for(n, [=](sycl::id<1> i) { data[i] += number; });
      });
    }
    for (int value : values)
      errors += value != number * (rounds + 1);

    try {
      together.parallel_for(sycl::nd_range<1>(5, 2), [=](sycl::nd_item<1>) {});
      ++errors;
    } catch (const sycl::exception &error) {
      errors += error.code() != sycl::errc::nd_range;
    }
  };

  std::vector<std::thread> started;
  for (int i = 0; i < threads; ++i)
    started.emplace_back(work, i + 1);
  for (std::thread &thread : started)
    thread.join();

  std::printf("%d threads: %d errors\n", threads, errors.load());
  return errors != 0;
}
