// Kernels that say what they require by properties: sizes of groups, and what a device has to have.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>

namespace exp = sycl::ext::oneapi::experimental;

struct in_groups {
  unsigned *sizes;
  auto get(exp::properties_tag) const { return exp::properties{exp::work_group_size<2, 16>}; }
  void operator()(sycl::nd_item<2> item) const {
    sizes[item.get_global_linear_id()] = item.get_local_range(0) * 100 + item.get_local_range(1);
  }
};

struct in_sub_groups {
  unsigned *sizes;
  auto get(exp::properties_tag) const {
    return exp::properties{exp::device_has<>, exp::sub_group_size<16>};
  }
  void operator()(sycl::nd_item<1> item) const {
    sizes[item.get_global_linear_id()] = item.get_sub_group().get_max_local_range()[0];
  }
};

int main() {
  constexpr std::size_t n = 64;
  sycl::queue queue;
  unsigned *sizes = sycl::malloc_shared<unsigned>(n, queue);

  queue.parallel_for(sycl::nd_range<2>({4, 16}, {2, 16}), in_groups{sizes}).wait();
  std::printf("work-groups of %u, %u\n", sizes[0], sizes[n - 1]);

  queue.parallel_for(sycl::nd_range<1>(n, 32), in_sub_groups{sizes}).wait();
  std::printf("sub-groups of %u, %u\n", sizes[0], sizes[n - 1]);
  sycl::free(sizes, queue);
}
