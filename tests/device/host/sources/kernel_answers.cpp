// What kernels answer to queries: those of one that requires sizes, and of one that does not. What
// contexts and queues answer, and what streams print. Prints the number of the first line that
// fails.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <sstream>
#include <string>

#define EXPECT(...)                                                                                \
  if (!(__VA_ARGS__))                                                                              \
  return __LINE__

class plain;
class sized;

static int check(sycl::queue &queue) {
  namespace ask = sycl::info::kernel_device_specific;
  sycl::device device = queue.get_device();
  auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(queue.get_context());
  sycl::kernel first = bundle.get_kernel(sycl::get_kernel_id<plain>());
  sycl::kernel second = bundle.get_kernel(sycl::get_kernel_id<sized>());
  EXPECT(first.get_info<sycl::info::kernel::function_name>().find("plain") != std::string::npos);
  EXPECT(first.get_info<sycl::info::kernel::num_args>() >= 1);
  EXPECT(first.get_info<sycl::info::kernel::attributes>().empty());
  EXPECT(first.get_info<sycl::info::kernel::context>() == queue.get_context());

  auto largest = device.get_info<sycl::info::device::max_work_group_size>();
  auto most = first.get_info<ask::work_group_size>(device);
  EXPECT(most >= 1 && most <= largest && second.get_info<ask::work_group_size>(device) == 32);
  EXPECT(first.get_info<ask::preferred_work_group_size_multiple>(device) >= 1);
  EXPECT(first.get_info<ask::private_mem_size>(device) < (std::size_t(1) << 40));
  EXPECT(first.get_info<ask::compile_sub_group_size>(device) == 0);
  EXPECT(second.get_info<ask::compile_sub_group_size>(device) == 8);
  EXPECT(second.get_info<ask::max_sub_group_size>(device) == 8);
  EXPECT(first.get_info<ask::max_sub_group_size>(device) ==
         device.get_info<sycl::info::device::sub_group_sizes>().back());
  EXPECT(first.get_info<ask::max_num_sub_groups>(device) >= 1);
  EXPECT(first.get_info<ask::compile_num_sub_groups>(device) == 0);
  EXPECT(second.get_info<ask::compile_work_group_size>(device) == sycl::range<3>(1, 4, 8));

  sycl::context context = queue.get_context();
  namespace of_context = sycl::info::context;
  namespace of_device = sycl::info::device;
  EXPECT(context.get_info<of_context::atomic_memory_order_capabilities>() ==
         device.get_info<of_device::atomic_memory_order_capabilities>());
  EXPECT(context.get_info<of_context::atomic_fence_scope_capabilities>() ==
         device.get_info<of_device::atomic_fence_scope_capabilities>());
  EXPECT(context.get_info<of_context::reference_count>() >= 2);
  EXPECT(queue.get_info<sycl::info::queue::reference_count>() >= 1);
  EXPECT(device.get_info<sycl::ext::oneapi::info::device::num_compute_units>() ==
         device.get_info<of_device::max_compute_units>());

  // Either is right, but it throws if the driver does not answer.
  device.get_info<of_device::sub_group_independent_forward_progress>();
  for (const std::string &name : device.get_info<of_device::extensions>())
    EXPECT(device.has_extension(name));
  EXPECT(!device.has_extension("cl_khr") && !device.get_platform().has_extension(""));
  EXPECT(device.get_platform().has_extension("cl_khr_il_program"));

  std::stringstream text("1.5 2.5");
  sycl::half half;
  sycl::ext::oneapi::bfloat16 bfloat16;
  text >> half >> bfloat16;
  std::stringstream written;
  written << half << ' ' << bfloat16 << ' ' << sycl::backend::opencl;
  EXPECT(written.str() == "1.5 2.5 opencl");
  try {
    first.get_info<ask::global_work_size>(device);
    return __LINE__;
  } catch (const sycl::exception &error) {
    EXPECT(error.code() == sycl::errc::invalid);
  }
  return 0;
}

int main() {
  sycl::queue queue;
  int *number = sycl::malloc_shared<int>(1, queue);
  queue.single_task<plain>([=] { *number = 0; }).wait();
  queue
      .parallel_for<sized>(sycl::nd_range<2>({4, 8}, {4, 8}),
                           [=](sycl::nd_item<2> item)
                               [[sycl::reqd_sub_group_size(8), sycl::reqd_work_group_size(4, 8)]] {
                                 if (item.get_global_linear_id() == 0)
                                   *number += 1;
                               })
      .wait();
  int line = check(queue);
  std::printf("device %d, host %d\n", *number - 1, line);
  sycl::free(number, queue);
}
