// Functions for host and device: one that other files could call, and ordinary ones.
#include <sycl/sycl.hpp>

#include <cstdio>

SYCL_EXTERNAL int greatest_common_divisor(int a, int b);

SYCL_EXTERNAL int greatest_common_divisor(int a, int b) {
  while (b != 0) {
    int rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// Nothing has to be said where a function is defined in the same file.
template <typename T> static T least_common_multiple(T a, T b) {
  return a / greatest_common_divisor(a, b) * b;
}

int main() {
  constexpr int n = 60;
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(n, queue);
  queue
      .parallel_for(
          n, [=](sycl::id<1> i) { out[i] = least_common_multiple(static_cast<int>(i[0]) + 1, 12); })
      .wait();

  int errors = 0;
  for (int i = 0; i < n; ++i)
    errors += out[i] != least_common_multiple(i + 1, 12);
  sycl::free(out, queue);
  std::printf("external function: %d errors\n", errors);
  return errors != 0;
}
