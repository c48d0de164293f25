// Ranges that do not fit are errors at once, each with its code.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(64, queue);
  int caught = 0;

  try { // 10 is not a multiple of 4
    queue.parallel_for(sycl::nd_range<1>(10, 4),
                       [=](sycl::nd_item<1> item) { out[item.get_global_id(0)] = 1; });
    queue.wait();
  } catch (const sycl::exception &error) {
    caught += error.code() == sycl::errc::nd_range;
  }

  try { // more work-items than a work-group can have
    std::size_t limit = queue.get_device().get_info<sycl::info::device::max_work_group_size>();
    queue.submit([&](sycl::handler &handler) {
      handler.parallel_for(sycl::nd_range<1>(2 * limit, 2 * limit), [=](sycl::nd_item<1> item) {
        if (item.get_global_id(0) < 64)
          out[item.get_global_id(0)] = 1;
      });
    });
    queue.wait();
  } catch (const sycl::exception &error) {
    caught += error.code() == sycl::errc::nd_range;
  }

  // The queue can be used as before.
  queue.parallel_for(sycl::nd_range<1>(12, 4),
                     [=](sycl::nd_item<1> item) { out[item.get_global_id(0)] = 5; });
  queue.wait();
  bool works = out[11] == 5;
  sycl::free(out, queue);
  std::printf("nd_range errors caught: %d\n", caught);
  return caught == 2 && works ? 0 : 1;
}
