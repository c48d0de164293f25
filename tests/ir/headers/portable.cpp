// Uses all that these headers offer to kernels in the spelling that is published, so that any
// other implementation with the same extensions takes it too.
#include <sycl/sycl.hpp>

namespace syclext = sycl::ext::oneapi;
namespace syclexp = sycl::ext::oneapi::experimental;

struct pair {
  float first;
  int second;
};

SYCL_EXTERNAL float elsewhere(float value);

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>)) void iota(float start,
                                                                                      float *out) {
  size_t i = syclext::this_work_item::get_nd_item<1>().get_global_linear_id();
  out[i] = start + static_cast<float>(i);
}

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::single_task_kernel)) void once(double *out) {
  out[0] = sycl::cbrt(out[0]) + sycl::fma(out[1], out[2], 1.0) + sycl::fmax(out[3], 0);
}

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<2>))
void tiles(const float *in, float *out, sycl::range<2> size) {
  sycl::nd_item<2> item = syclext::this_work_item::get_nd_item<2>();
  sycl::group<2> group = syclext::this_work_item::get_work_group<2>();
  sycl::sub_group lanes = syclext::this_work_item::get_sub_group();
  auto &tile = *syclext::group_local_memory_for_overwrite<float[64]>(group);
  sycl::multi_ptr<pair, sycl::access::address_space::local_space> shared =
      syclext::group_local_memory<pair>(group, 1.0f, 2);

  size_t local = item.get_local_linear_id();
  tile[local] = in[item.get_global_linear_id()];
  sycl::group_barrier(group);
  sycl::group_barrier(lanes, sycl::memory_scope::work_group);

  sycl::id<2> at = item.get_global_id();
  sycl::range<2> all = item.get_global_range() * item.get_group_range();
  float sum = shared->first + (*shared).second + shared.get()->first + shared.get_raw()->second;
  sum += tile[(local + 1) % group.get_local_linear_range()] + lanes.get_local_linear_id();
  sum += item.get_group(0) + group[1] + group.leader() + lanes.get_max_local_range()[0];
  if (at[0] < size[0] && at[1] < size[1] && all.size() > 0)
    out[at[0] * size[1] + at[1]] = elsewhere(sum);
}

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<3>)) void numbers(
    sycl::half weight, sycl::half *halves, float *floats, int *integers) {
  sycl::nd_item<3> item = syclext::this_work_item::get_nd_item<3>();
  size_t i = item.get_global_id(2);
  halves[i] = sycl::sqrt(halves[i]) * weight + 1 - static_cast<sycl::half>(i);
  floats[i] = sycl::mix(floats[i], 1.0f, halves[i] / 2.0f) + sycl::native::exp(floats[i]);
  floats[i] += sycl::half_precision::rsqrt(floats[i]) + sycl::pown(floats[i], 3);
  floats[i] += sycl::clamp(floats[i], -1.0f, 1.0f) + sycl::ldexp(floats[i], 2);
  integers[i] = sycl::clamp(sycl::abs(integers[i]), sycl::min(3, integers[0]), 7);
  if (sycl::isnan(floats[i]) || !sycl::isfinite(halves[i]))
    integers[i] = sycl::max(integers[i], 9);
}
