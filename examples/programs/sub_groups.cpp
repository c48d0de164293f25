// Sub-groups: each work-item says where it is, and together they must cover the work-group.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

int main() {
  constexpr std::size_t n = 128, group_size = 64;
  sycl::queue queue;
  if (queue.get_device().get_info<sycl::info::device::sub_group_sizes>().empty()) {
    std::puts("sub-groups: no sizes");
    return 1;
  }

  unsigned *place = sycl::malloc_shared<unsigned>(n, queue);
  unsigned *sizes = sycl::malloc_shared<unsigned>(n, queue);
  queue
      .parallel_for(sycl::nd_range<1>(n, group_size),
                    [=](sycl::nd_item<1> item) {
                      sycl::sub_group sub_group = item.get_sub_group();
                      std::size_t i = item.get_global_linear_id();
                      unsigned width = sub_group.get_max_local_range()[0];
                      place[i] =
                          sub_group.get_group_linear_id() * width + sub_group.get_local_linear_id();
                      sizes[i] = sub_group.get_local_linear_range();
                      sycl::group_barrier(sub_group);
                    })
      .wait();

  int errors = 0;
  for (std::size_t group = 0; group < n / group_size; ++group) {
    std::vector<bool> seen(group_size);
    for (std::size_t i = 0; i < group_size; ++i) {
      unsigned at = place[group * group_size + i];
      errors += at >= group_size || seen[at] || sizes[group * group_size + i] == 0;
      if (at < group_size)
        seen[at] = true;
    }
  }
  sycl::free(place, queue);
  sycl::free(sizes, queue);
  std::printf("sub-groups: %d errors\n", errors);
  return errors != 0;
}
