// A dot product of vectors in bfloat16, summed in float. Numbers of 8 bits have a relative error of
// at most 2^-9 each, from which a bound of the error of the result follows; the result has to be
// within it, and different from the exact one, since the numbers were really rounded.
#include <sycl/ext/oneapi/bfloat16.hpp>
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

using sycl::ext::oneapi::bfloat16;

int main() {
  constexpr std::size_t groups = 32, group_size = 64, n = groups * group_size;
  std::vector<float> x(n), y(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = std::sin(static_cast<float>(i)) * 10.0f;
    y[i] = 1.0f / static_cast<float>(i + 1);
  }

  sycl::queue queue;
  auto *left = sycl::malloc_shared<bfloat16>(n, queue);
  auto *right = sycl::malloc_shared<bfloat16>(n, queue);
  auto *sums = sycl::malloc_shared<float>(groups, queue);
  for (std::size_t i = 0; i < n; ++i) {
    left[i] = x[i];
    right[i] = y[i];
  }
  queue
      .parallel_for(sycl::nd_range<1>(n, group_size),
                    [=](sycl::nd_item<1> item) {
                      std::size_t i = item.get_global_id(0);
                      // The product of two numbers of 8 bits is exact in float.
                      float product = static_cast<float>(left[i]) * static_cast<float>(right[i]);
                      float sum =
                          sycl::reduce_over_group(item.get_group(), product, sycl::plus<>());
                      if (item.get_group().leader())
                        sums[item.get_group(0)] = sum;
                    })
      .wait();

  double exact = 0, magnitude = 0, found = 0;
  for (std::size_t i = 0; i < n; ++i) {
    exact += static_cast<double>(x[i]) * y[i];
    magnitude += std::fabs(static_cast<double>(x[i]) * y[i]);
  }
  for (std::size_t i = 0; i < groups; ++i)
    found += sums[i];
  sycl::free(left, queue);
  sycl::free(right, queue);
  sycl::free(sums, queue);

  // Each product has two rounded factors, and each sum at most one error of float for each
  // addition.
  double bound = magnitude * (2 * 0x1p-9 + 0x1p-18 + group_size * 0x1p-24);
  double error = std::fabs(found - exact);
  bool ok = error <= bound && error > magnitude * 0x1p-20;
  std::printf("bfloat16 dot product: %s\n", ok ? "within the bound" : "wrong");
  return ok ? 0 : 1;
}
