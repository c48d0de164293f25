// printf over an nd_range: the first work-item of each work-group prints the group's sum. The order
// of the groups differs from device to device, so each group waits for its predecessor's turn: one
// kernel for each. The host checks the sums and formats the same lines.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <vector>

namespace syclexp = sycl::ext::oneapi::experimental;

// OpenCL wants the format in constant memory. The toolchain takes care of literals; this is how a
// format becomes a variable that all SYCL compilers take.
#ifdef __SYCL_DEVICE_ONLY__
#define CONSTANT __attribute__((opencl_constant))
#else
#define CONSTANT
#endif

constexpr int groups = 4, group_size = 32, n = groups * group_size;

int main() {
  sycl::queue queue{sycl::property::queue::in_order()};
  float *values = sycl::malloc_shared<float>(n, queue);
  float *sums = sycl::malloc_shared<float>(groups, queue);
  for (int i = 0; i < n; ++i)
    values[i] = 0.25f * i;

  for (int turn = 0; turn < groups; ++turn)
    queue.parallel_for(sycl::nd_range<1>(n, group_size), [=](sycl::nd_item<1> item) {
      static const CONSTANT char format[] = "group %lu of %lu: sum %8.2f, mean %e, %s\n";
      float value = values[item.get_global_id(0)];
      float sum = sycl::reduce_over_group(item.get_group(), value, sycl::plus<>());
      if (item.get_group(0) != static_cast<std::size_t>(turn) || item.get_local_id(0) != 0)
        return;
      // The float is not converted to double, which a device need not have.
      syclexp::printf(format, item.get_group(0), item.get_group_range(0), sum, sum / group_size,
                      turn % 2 ? "odd" : "even");
      sums[turn] = sum;
    });
  queue.wait();

  int errors = 0;
  for (int group = 0; group < groups; ++group) {
    float expected = 0;
    for (int i = group * group_size; i < (group + 1) * group_size; ++i)
      expected += values[i];
    errors += sums[group] != expected; // exact: multiples of 1/4
  }
  std::printf("printf groups: %d errors\n", errors);
  sycl::free(values, queue);
  sycl::free(sums, queue);
  return errors != 0;
}
