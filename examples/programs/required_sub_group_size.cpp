// Required sub-group sizes: kernels whose results depend on the width of their sub-groups say which
// one they need, in the notations of DPC++ and of SYCL 2020.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <vector>

// The first notation is deprecated, but common in programs.
#pragma clang diagnostic ignored "-Wdeprecated-attributes"

constexpr std::size_t Count = 512, GroupSize = 128;

// Adds the elements of each sub-group: element i becomes the sum of a block of Width elements.
template <int Width> struct block_sums {
  const int *in;
  int *out;

  [[intel::reqd_sub_group_size(Width)]] void operator()(sycl::nd_item<1> item) const {
    sycl::sub_group sub_group = item.get_sub_group();
    std::size_t i = item.get_global_linear_id();
    int sum = in[i];
    for (int distance = Width / 2; distance > 0; distance /= 2)
      sum += sycl::permute_group_by_xor(sub_group, sum, distance);
    out[i] = sum;
  }
};

// The number of elements that differ from the sums of blocks of a width.
int differences(const int *in, const int *out, std::size_t width) {
  int errors = 0;
  for (std::size_t begin = 0; begin < Count; begin += width) {
    int expected = 0;
    for (std::size_t i = begin; i < begin + width; ++i)
      expected += in[i];
    for (std::size_t i = begin; i < begin + width; ++i)
      errors += out[i] != expected;
  }
  return errors;
}

int main() {
  sycl::queue queue;
  int *in = sycl::malloc_shared<int>(Count, queue);
  int *out = sycl::malloc_shared<int>(Count, queue);
  for (std::size_t i = 0; i < Count; ++i)
    in[i] = static_cast<int>(i * i % 101);

  const auto sizes = queue.get_device().get_info<sycl::info::device::sub_group_sizes>();
  const auto supports = [&](std::size_t width) {
    return std::find(sizes.begin(), sizes.end(), width) != sizes.end();
  };
  const sycl::nd_range<1> range{Count, GroupSize};
  int errors = 0, widths = 0;
  const auto check = [&](std::size_t width, auto &&kernel) {
    if (!supports(width))
      return;
    std::fill_n(out, Count, -1);
    queue.parallel_for(range, kernel).wait();
    errors += differences(in, out, width);
    ++widths;
  };

  check(8, block_sums<8>{in, out});
  check(16, block_sums<16>{in, out});
  check(32, block_sums<32>{in, out});
  // After the parameters of a lambda, with SYCL's own name; the width is that of the sub-group.
  check(16, [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    sycl::sub_group sub_group = item.get_sub_group();
    int sum = in[item.get_global_linear_id()];
    for (unsigned distance = sub_group.get_max_local_range()[0] / 2; distance > 0; distance /= 2)
      sum += sycl::permute_group_by_xor(sub_group, sum, distance);
    out[item.get_global_linear_id()] = sum;
  });

  sycl::free(in, queue);
  sycl::free(out, queue);
  if (widths == 0)
    ++errors;
  std::printf("required sub-group sizes: %d errors\n", errors);
  return errors != 0;
}
