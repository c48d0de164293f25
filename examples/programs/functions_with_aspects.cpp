// Functions that declare the aspects they use: kernels that call them need these aspects, and the
// program asks before it starts such a kernel.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

// Declared aspects are a promise to callers: the compiler warns if the function uses others.
[[sycl::device_has(sycl::aspect::fp64)]] SYCL_EXTERNAL double precise_sum(const float *numbers,
                                                                          std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i)
    sum += numbers[i];
  return sum;
}

// Kahan's algorithm: a second number holds what the first one loses. It needs no optional feature.
[[sycl::device_has()]] SYCL_EXTERNAL float compensated_sum(const float *numbers,
                                                           std::size_t count) {
  float sum = 0, lost = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const float term = numbers[i] - lost;
    const float next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  return sum;
}

class precise;
class compensated;

int main() {
  constexpr std::size_t count = 5000;
  sycl::queue queue;
  const sycl::device device = queue.get_device();
  float *numbers = sycl::malloc_shared<float>(count, queue);
  float *result = sycl::malloc_shared<float>(1, queue);
  double expected = 0;
  for (std::size_t i = 0; i < count; ++i) {
    numbers[i] = 1.0f / static_cast<float>(i + 1);
    expected += numbers[i];
  }
  const auto is_close = [&] { return std::fabs(*result - expected) < 1e-6 * expected; };

  int errors = 0;
  // A kernel runs on a device exactly if the device has the aspects of all functions it calls.
  const bool can_be_precise = sycl::is_compatible<precise>(device);
  errors += can_be_precise != device.has(sycl::aspect::fp64);
  errors += !sycl::is_compatible<compensated>(device);
  if (can_be_precise) {
    queue.single_task<precise>([=] { *result = static_cast<float>(precise_sum(numbers, count)); })
        .wait();
    errors += !is_close();
  }

  // A kernel can declare its aspects, too.
  *result = 0;
  queue
      .single_task<compensated>(
          [=]() [[sycl::device_has()]] { *result = compensated_sum(numbers, count); })
      .wait();
  errors += !is_close();

  sycl::free(numbers, queue);
  sycl::free(result, queue);
  std::printf("functions with aspects: %d errors\n", errors);
  return errors != 0;
}
