// Functions of groups and sub-groups: which of them compute with a value, and which only pass it
// on.
#include <sycl/sycl.hpp>

namespace syclext = sycl::ext::oneapi;
namespace syclexp = sycl::ext::oneapi::experimental;

#define KERNEL extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))

static auto group() { return syclext::this_work_item::get_work_group<1>(); }
static auto sub_group() { return syclext::this_work_item::get_sub_group(); }

struct pair_of_both {
  float f;
  double d;
};

KERNEL void group_shift_left(double *p) { *p = sycl::shift_group_left(sub_group(), *p, 1); }
KERNEL void group_shift_right(double *p) { *p = sycl::shift_group_right(sub_group(), *p, 1); }
KERNEL void group_permute(double *p) { *p = sycl::permute_group_by_xor(sub_group(), *p, 1); }
KERNEL void group_select(double *p) { *p = sycl::select_from_group(sub_group(), *p, 0); }
KERNEL void group_shift_vector(sycl::vec<double, 2> *p) {
  *p = sycl::shift_group_left(sub_group(), *p, 1);
}
KERNEL void group_shift_class(pair_of_both *p) { *p = sycl::shift_group_left(sub_group(), *p, 1); }
KERNEL void group_shift_half(sycl::half *p) { *p = sycl::shift_group_left(sub_group(), *p, 1); }
KERNEL void group_shift_long(long *p) { *p = sycl::shift_group_left(sub_group(), *p, 1); }
KERNEL void group_shift_sum(double *p) { *p = sycl::shift_group_left(sub_group(), *p + 1, 1); }

KERNEL void group_broadcast(double *p) { *p = sycl::group_broadcast(group(), *p); }
KERNEL void group_broadcast_in_sub_group(double *p) { *p = sycl::group_broadcast(sub_group(), *p); }
KERNEL void group_broadcast_vector(sycl::vec<double, 2> *p) {
  *p = sycl::group_broadcast(group(), *p);
}
KERNEL void group_broadcast_class(pair_of_both *p) { *p = sycl::group_broadcast(group(), *p); }
KERNEL void group_broadcast_half(sycl::half *p) { *p = sycl::group_broadcast(group(), *p); }

KERNEL void group_reduce(double *p) {
  *p = sycl::reduce_over_group(group(), *p, sycl::plus<double>());
}
KERNEL void group_reduce_float(float *p) {
  *p = sycl::reduce_over_group(group(), *p, sycl::plus<>());
}
KERNEL void group_reduce_half(sycl::half *p) {
  *p = sycl::reduce_over_group(group(), *p, sycl::plus<sycl::half>());
}
KERNEL void group_reduce_in_sub_group(double *p) {
  *p = sycl::reduce_over_group(sub_group(), *p, sycl::maximum<double>());
}
KERNEL void group_scan(double *p) {
  *p = sycl::inclusive_scan_over_group(group(), *p, sycl::plus<double>());
}
KERNEL void group_joint_reduce(double *p) {
  *p = sycl::joint_reduce(group(), p, p + 4, sycl::plus<double>());
}
KERNEL void group_any_of(double *p, int *q) { *q = sycl::any_of_group(group(), *p > 0); }
