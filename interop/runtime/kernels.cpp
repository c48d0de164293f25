// Kernels with different requirements, which Dovetail compiles for Intel's runtime. Each writes
// start, start + 1, ..., so that one host program can check all of them.
#include <sycl/sycl.hpp>

namespace syclext = sycl::ext::oneapi;
namespace syclexp = sycl::ext::oneapi::experimental;

#define KERNEL extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))

static size_t position() {
  return syclext::this_work_item::get_nd_item<1>().get_global_linear_id();
}

// The position, if sub-groups have this size.
static size_t position_by_sub_groups(size_t size) {
  return position() / size * size + syclext::this_work_item::get_sub_group().get_local_linear_id();
}

KERNEL void plain(float start, float *out) { out[position()] = start + position(); }

KERNEL void doubles(double start, double *out) { out[position()] = start + position(); }

KERNEL [[sycl::reqd_work_group_size(8)]] void groups_of_8(float start, float *out) {
  out[position()] = start + position();
}

KERNEL [[sycl::device_has(sycl::aspect::gpu)]] void for_gpus(float start, float *out) {
  out[position()] = start + position();
}

KERNEL [[sycl::reqd_sub_group_size(16)]] void sub_groups_of_16(float start, float *out) {
  out[position()] = start + position_by_sub_groups(16);
}

KERNEL [[sycl::reqd_sub_group_size(128)]] void sub_groups_of_128(float start, float *out) {
  out[position()] = start + position_by_sub_groups(128);
}
