// Sums that need 64 bits, whole and fractional, where the device can do that.
#include <sycl/sycl.hpp>

#include <cstdio>

int main() {
  sycl::queue queue;
  sycl::device device = queue.get_device();
  if (!device.has(sycl::aspect::atomic64) || !device.has(sycl::aspect::fp64)) {
    std::puts("this device has no 64-bit atomics");
    return 0;
  }

  constexpr int n = 10000;
  auto *whole = sycl::malloc_shared<unsigned long long>(1, queue);
  auto *fraction = sycl::malloc_shared<double>(1, queue);
  auto *slots = sycl::malloc_shared<long>(1, queue);
  *whole = 0;
  *fraction = 0.0;
  *slots = 0;

  queue
      .parallel_for(
          n,
          [=](sycl::id<1> i) {
            using sycl::memory_order;
            using sycl::memory_scope;
            sycl::atomic_ref<unsigned long long, memory_order::relaxed, memory_scope::device>(
                *whole)
                .fetch_add(1ull << 40);
            sycl::atomic_ref<double, memory_order::relaxed, memory_scope::device>(*fraction) += 0.5;
            sycl::atomic_ref<long, memory_order::acq_rel, memory_scope::device> slot(*slots);
            long expected = slot.load();
            while (!slot.compare_exchange_strong(expected, expected + long(i[0])))
              ;
          })
      .wait();

  bool right = *whole == (1ull << 40) * n && *fraction == 0.5 * n && *slots == n * (n - 1L) / 2;
  std::printf("64-bit atomics: %s\n", right ? "ok" : "wrong");
  sycl::free(whole, queue);
  sycl::free(fraction, queue);
  sycl::free(slots, queue);
  return right ? 0 : 1;
}
