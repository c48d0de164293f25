// Kernels that require one thing or several, themselves or through what they call.
#include <sycl/sycl.hpp>

#include "kernels.hpp"

static int through_another(int x) { return widened(x) + 1; }

TASK void plain(int *p) { p[0] = 1; }
TASK void wide(int *p) { p[0] = through_another(p[1]); }
TASK void wide_too(int *p) { p[0] = through_another(p[2]); }
TASK void small(int *p) { p[0] = halved<sycl::half>(p[1]); }
TASK void wide_and_small(int *p) { p[0] = halved<double>(p[1]) + halved<sycl::half>(p[2]); }
TASK void long_atomic(int *p) { p[2] = static_cast<int>(counted(p)); }
TASK void long_atomic_and_wide(int *p) { p[2] = widened(static_cast<int>(counted(p))); }
TASK void all_three(int *p) { p[2] = halved<sycl::half>(widened(static_cast<int>(counted(p)))); }

template <typename T> TASK void typed(int *p) { p[0] = halved<T>(p[7]); }
template void typed<float>(int *);
template void typed<double>(int *);
template void typed<sycl::half>(int *);

TASK [[sycl::device_has(aspect::gpu)]] void on_gpus(int *p) { p[0] = 2; }
TASK [[sycl::device_has(aspect::cpu)]] void on_cpus(int *p) { p[0] = 3; }
TASK [[sycl::device_has(aspect::accelerator)]] void on_accelerators(int *p) { p[0] = 4; }
TASK [[sycl::device_has(aspect::fp64)]] void says_wide(int *p) { p[0] = 5; }
TASK [[sycl::device_has(aspect::fp64, aspect::gpu)]] void wide_on_gpus(int *p) {
  p[0] = widened(p[3]);
}

TASK void calls_a_kernel(int *p) { wide(p + 1); }
TASK void calls_what_is_for_gpus(int *p) {
  on_gpus(p);
  wide(p + 1);
}

GROUPS [[sycl::reqd_sub_group_size(8)]] void sub_groups_of_8(int *p) { p[0] = 8; }
GROUPS [[sycl::reqd_sub_group_size(16)]] void sub_groups_of_16(int *p) { p[0] = 16; }
GROUPS [[sycl::reqd_sub_group_size(32)]] void sub_groups_of_32(int *p) { p[0] = 32; }
GROUPS [[sycl::reqd_sub_group_size(128)]] void sub_groups_of_128(int *p) { p[0] = 128; }
GROUPS [[sycl::reqd_work_group_size(8)]] void work_groups_of_8(int *p) {
  auto item = ext::this_work_item::get_nd_item<1>();
  p[item.get_global_id(0)] = static_cast<int>(item.get_local_range(0));
}
GROUPS [[sycl::reqd_work_group_size(1 << 20)]] void work_groups_of_a_million(int *p) { p[0] = 9; }
GROUPS [[sycl::reqd_work_group_size(32)]] [[sycl::reqd_sub_group_size(16)]] void
sizes_and_wide(int *p) {
  auto item = ext::this_work_item::get_nd_item<1>();
  p[item.get_global_id(0)] = widened(static_cast<int>(item.get_local_range(0)));
}
GROUPS [[sycl::reqd_work_group_size(1 << 20)]] [[sycl::reqd_sub_group_size(128)]] void
everything_impossible(int *p) {
  p[0] = widened(p[1]);
}
