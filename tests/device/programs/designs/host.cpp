// Kernels as lambdas, as host programs start them: a line for each says what came of it.
#include <sycl/sycl.hpp>

#include "kernels.hpp"
#include <cstdio>
#include <string>

class plain;
class wide;
class small;
class asks;
class asks_below;
class sized;
class annotated;
class local;

struct program {
  sycl::queue q;
  int *result = sycl::malloc_shared<int>(64, q);

  // What the kernel left, or what was thrown; and whether it was said to be compatible.
  template <typename Name, typename Start> void attempt(const char *label, Start start) {
    for (int i = 0; i < 64; ++i)
      result[i] = i;
    std::string text;
    try {
      start();
      q.wait_and_throw();
    } catch (const sycl::exception &e) {
      text = std::to_string(e.code().value()) + " " + e.what();
    }
    int sum = 0;
    for (int i = 0; i < 64; ++i)
      sum += i * result[i];
    std::printf("%s: %d %d %s\n", label, sycl::is_compatible<Name>(q.get_device()), sum,
                text.c_str());
  }
};

int main() {
  program p;
  sycl::queue q = p.q;
  int *r = p.result;
  p.attempt<plain>("plain", [&] { q.single_task<plain>([=] { r[1] = 42; }); });
  p.attempt<wide>("wide", [&] { q.single_task<wide>([=] { r[1] = widened(r[3]); }); });
  p.attempt<small>("small", [&] { q.single_task<small>([=] { r[1] = halved<sycl::half>(9); }); });
  p.attempt<asks>("asks", [&] {
    q.single_task<asks>([=] {
      exp_::if_device_has<aspect::gpu>([=] { r[1] = widened(r[5]); }).otherwise([=] { r[1] = 7; });
    });
  });
  p.attempt<asks_below>("asks below", [&] {
    q.parallel_for<asks_below>(64, [=](sycl::id<1> i) {
      exp_::if_device_has<aspect::cpu>([=] {
        exp_::if_device_has<aspect::fp64>([=] { r[i] = widened(i[0]); }).otherwise([=] {
          r[i] = 3;
        });
      }).otherwise([=] { r[i] = halved<sycl::half>(i[0]); });
    });
  });
  p.attempt<sized>("sized", [&] {
    q.parallel_for<sized>(sycl::nd_range<1>(64, 32),
                          [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
                            r[item.get_global_id(0)] = item.get_sub_group().get_local_linear_id();
                          });
  });
  p.attempt<annotated>("annotated", [&] {
    exp_::annotated_ptr pointer(r, exp_::properties{exp_::no_alias});
    q.single_task<annotated>(
        [=] { exp_::if_device_has<aspect::cpu>([=] { pointer[2] = widened(pointer[9]); }); });
  });
  p.attempt<local>("local", [&] {
    q.submit([&](sycl::handler &h) {
      sycl::local_accessor<double, 1> tile(16, h);
      h.parallel_for<local>(sycl::nd_range<1>(64, 16), [=](sycl::nd_item<1> item) {
        int i = item.get_global_id(0), l = item.get_local_id(0);
        tile[l] = r[i] * 0.5;
        sycl::group_barrier(item.get_group());
        r[i] = static_cast<int>(tile[15 - l]);
      });
    });
  });
  auto all = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
  std::printf("%zu kernels: %d %d\n", all.get_kernel_ids().size(), all.has_kernel<wide>(),
              all.has_kernel<asks>());
}
