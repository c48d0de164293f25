// Device globals, local memory and assertions, in kernels that require something and in actions.
#include <sycl/sycl.hpp>

#include "kernels.hpp"
#include <cassert>

exp_::device_global<int> counter{10};
exp_::device_global<long[2]> pair;
exp_::device_global<int, decltype(exp_::properties(exp_::device_image_scope))> in_image{7};
exp_::device_global<double> wide_one{1.5};

TASK void count(int *p) { p[0] = counter += 1; }
TASK void count_widely(int *p) { p[0] = widened(counter += 1); }
TASK void use_image_scope(int *p) { p[0] = in_image += 1; }
TASK void use_wide_one(int *p) { p[0] = static_cast<int>(wide_one * 4); }
TASK void count_under_condition(int *p) {
  exp_::if_device_has<aspect::gpu>([=] {
    pair[0] += widened(counter);
    p[0] = static_cast<int>(pair[0]);
  }).otherwise([=] { p[0] = counter += 100; });
}

GROUPS void local(int *p) {
  auto item = ext::this_work_item::get_nd_item<1>();
  int i = item.get_global_id(0), l = item.get_local_id(0), last = item.get_local_range(0) - 1;
  auto outside = ext::group_local_memory<int[64]>(item.get_group());
  (*outside)[l] = l;
  exp_::if_device_has<aspect::cpu>([=] {
    auto inside = ext::group_local_memory<int[64]>(item.get_group());
    (*inside)[l] = widened(i);
    sycl::group_barrier(item.get_group());
    p[i] = (*inside)[last - l] + sycl::reduce_over_group(item.get_group(), 1, sycl::plus<int>());
  });
  sycl::group_barrier(item.get_group());
  p[i] += 1000 * (*outside)[last - l];
}
GROUPS [[sycl::reqd_work_group_size(16)]] void wide_local(int *p) {
  auto item = ext::this_work_item::get_nd_item<1>();
  auto tile = ext::group_local_memory_for_overwrite<double[16]>(item.get_group());
  (*tile)[item.get_local_id(0)] = p[item.get_global_id(0)];
  sycl::group_barrier(item.get_group());
  p[item.get_global_id(0)] = static_cast<int>((*tile)[15 - item.get_local_id(0)]);
}

TASK void asserts(int *p) { assert(p[1] == 3 && "plainly"); }
TASK void asserts_widely(int *p) { assert(halved<double>(p[1]) == 3 && "with double"); }
TASK void asserts_under_condition(int *p) {
  exp_::if_device_has<aspect::gpu>([=] { assert(p[1] == 4 && "on GPUs"); }).otherwise([=] {
    assert(widened(p[1]) == 5 && "elsewhere");
  });
}
TASK void asserts_what_holds(int *p) {
  exp_::if_device_has<aspect::cpu>([=] { assert(widened(p[1]) == 5); });
}
