// Adds up fractions in two steps: first within a work-group in local memory, then over all groups.
#include <sycl/sycl.hpp>

#include <cstdio>

int main() {
  constexpr int groups = 16, group_size = 64;
  sycl::queue queue;
  float *result = sycl::malloc_shared<float>(3, queue);
  result[0] = 0.0f;  // sum
  result[1] = 1e9f;  // minimum
  result[2] = -1e9f; // maximum

  queue
      .submit([&](sycl::handler &handler) {
        sycl::local_accessor<float> partial(1, handler);
        handler.parallel_for(
            sycl::nd_range<1>(groups * group_size, group_size), [=](sycl::nd_item<1> item) {
              sycl::atomic_ref<float, sycl::memory_order::relaxed, sycl::memory_scope::work_group,
                               sycl::access::address_space::local_space>
                  group_sum(partial[0]);
              float value = 0.25f * static_cast<float>(item.get_global_id(0));

              if (item.get_local_id(0) == 0)
                group_sum.store(0.0f);
              sycl::group_barrier(item.get_group());
              group_sum.fetch_add(value);
              sycl::group_barrier(item.get_group());

              using reference =
                  sycl::atomic_ref<float, sycl::memory_order::relaxed, sycl::memory_scope::device>;
              if (item.get_local_id(0) == 0)
                reference(result[0]).fetch_add(group_sum.load());
              reference(result[1]).fetch_min(value);
              reference(result[2]).fetch_max(value);
            });
      })
      .wait();

  // Quarters of whole numbers below 2^22, so single precision is exact.
  constexpr int n = groups * group_size;
  bool right =
      result[0] == 0.25f * (n * (n - 1) / 2) && result[1] == 0.0f && result[2] == 0.25f * (n - 1);
  std::printf("sum %.2f, from %.2f to %.2f\n", static_cast<double>(result[0]),
              static_cast<double>(result[1]), static_cast<double>(result[2]));
  sycl::free(result, queue);
  return right ? 0 : 1;
}
