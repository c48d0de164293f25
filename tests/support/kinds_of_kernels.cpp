// One kernel of each kind: what a target has to have, and what its compiler has to understand.
#include <sycl/sycl.hpp>

namespace syclext = sycl::ext::oneapi;
namespace syclexp = sycl::ext::oneapi::experimental;

#define KERNEL(DIMENSIONS) SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<DIMENSIONS>))

namespace {

std::size_t here() { return syclext::this_work_item::get_nd_item<1>().get_global_linear_id(); }

} // namespace

struct pair {
  float first;
  int second;
};

KERNEL(1) void plain(pair value, float *out) {
  out[here()] = value.first * static_cast<float>(value.second);
}

KERNEL(3) void three_dimensions(int *out) {
  auto item = syclext::this_work_item::get_nd_item<3>();
  out[item.get_global_linear_id()] =
      static_cast<int>(item.get_local_id(0) + item.get_group(1) + item.get_global_range(2));
}

KERNEL(1) [[sycl::reqd_work_group_size(64)]] void local_memory(int *out) {
  auto item = syclext::this_work_item::get_nd_item<1>();
  auto shared = syclext::group_local_memory_for_overwrite<int[64]>(item.get_group());
  int at = static_cast<int>(item.get_local_id(0));
  (*shared)[at] = out[here()];
  sycl::group_barrier(item.get_group());
  out[here()] = (*shared)[63 - at];
}

KERNEL(1) void mathematics(float *out) {
  float x = out[here()];
  out[here()] = sycl::sin(x) + sycl::pow(x, 1.5f) + sycl::sqrt(x) + sycl::fmin(x, 2.0f);
}

KERNEL(1) void double_precision(double *out) { out[here()] = sycl::exp(out[here()]) * 2; }

KERNEL(1) void half_precision(sycl::half *out) { out[here()] = out[here()] * sycl::half(2) + 1; }

KERNEL(1) void atomics(int *out) {
  sycl::atomic_ref<int, sycl::memory_order::acq_rel, sycl::memory_scope::device> counter(*out);
  counter.fetch_add(1);
  counter.fetch_max(7, sycl::memory_order::relaxed, sycl::memory_scope::work_group);
}

KERNEL(1) void wide_atomics(long *out) {
  sycl::atomic_ref<long, sycl::memory_order::seq_cst, sycl::memory_scope::system> counter(*out);
  long expected = counter.load();
  counter.compare_exchange_strong(expected, expected + 1);
}

KERNEL(1) void sub_groups(int *out) {
  auto group = syclext::this_work_item::get_sub_group();
  out[here()] = static_cast<int>(group.get_local_linear_id() + group.get_group_linear_id());
  sycl::group_barrier(group);
}

#define REQUIRED_SIZE(SIZE)                                                                        \
  KERNEL(1) [[sycl::reqd_sub_group_size(SIZE)]] void sub_groups_of_##SIZE(unsigned *out) {         \
    out[here()] = syclext::this_work_item::get_sub_group().get_max_local_range()[0];               \
  }
REQUIRED_SIZE(8)
REQUIRED_SIZE(16)
REQUIRED_SIZE(32)
REQUIRED_SIZE(64)

KERNEL(1) [[sycl::reqd_sub_group_size(16)]] void double_in_sub_groups(double *out) {
  out[here()] = syclext::this_work_item::get_sub_group().get_local_linear_id();
}

KERNEL(1) void half_and_double(sycl::half *from, double *to) { to[here()] = float(from[here()]); }
