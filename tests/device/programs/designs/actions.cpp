// What is called under conditions and requires something itself, so that it may be refused.
#include <sycl/sycl.hpp>

#include "kernels.hpp"

TASK void plain(int *p) { p[0] = 1; }
TASK void wide(int *p) { p[0] = widened(p[1]); }

TASK void wide_if_gpu(int *p) {
  exp_::if_device_has<aspect::gpu>([=] { p[0] = widened(p[1]); }).otherwise([=] { p[0] = 2; });
}
TASK void wide_if_cpu(int *p) {
  exp_::if_device_has<aspect::cpu>([=] { p[0] = widened(p[1]); }).otherwise([=] { p[0] = 3; });
}
TASK void wide_if_wide(int *p) {
  exp_::if_device_has<aspect::fp64>([=] { p[0] = widened(p[1]); }).otherwise([=] { p[0] = 4; });
}
TASK void wide_unless_wide(int *p) {
  exp_::if_device_has<aspect::fp64>([=] { p[0] = 5; }).otherwise([=] { p[0] = widened(p[1]); });
}
TASK void chain(int *p) {
  exp_::if_architecture_is<architecture::intel_gpu_pvc>([=] { p[0] = widened(p[1]); })
      .else_if_architecture_is<architecture::intel_gpu_acm_g10, architecture::nvidia_gpu_sm_50>(
          [=] { p[0] = halved<sycl::half>(p[1]); })
      .else_if_architecture_is<architecture::x86_64>([=] { p[2] = static_cast<int>(counted(p)); })
      .otherwise([=] { p[0] = widened(halved<sycl::half>(p[9])); });
}
TASK void nest(int *p) {
  exp_::if_device_has<aspect::gpu>([=] {
    p[0] = 6;
    exp_::if_device_has<aspect::fp16>([=] {
      p[1] = 7;
      exp_::if_device_has<aspect::fp64>([=] { p[2] = 8; }).otherwise([=] { p[2] = widened(p[3]); });
    }).otherwise([=] { p[1] = halved<sycl::half>(p[5]); });
  }).otherwise([=] { exp_::if_device_has<aspect::cpu>([=] { p[0] = widened(p[4]); }); });
}
static void innermost(int *p) {
  exp_::if_device_has<aspect::gpu>([=] { p[3] = widened(p[2]); });
}
static void between(int *p) {
  exp_::if_architecture_is<architecture::intel_gpu_acm_g10, architecture::intel_gpu_pvc>([=] {
    innermost(p);
    p[4] = halved<sycl::half>(p[6]);
  });
}
TASK void deep(int *p) {
  between(p);
  innermost(p + 8);
}
TASK void loop(int *p) {
  for (int i = 1; i < 5; ++i)
    exp_::if_device_has<aspect::gpu>([=] { p[0] += widened(i); }).otherwise([=] {
      p[0] += 100 * i;
    });
}

template <aspect A, typename T> void typed_if(int *p) {
  exp_::if_device_has<A>([=] { p[0] += halved<T>(p[9]); }).otherwise([=] { p[0] += 1000; });
}
TASK void templates(int *p) {
  typed_if<aspect::gpu, double>(p);
  typed_if<aspect::cpu, double>(p + 1);
  typed_if<aspect::gpu, float>(p + 2);
}
TASK void captures(int *p) {
  struct Big {
    long numbers[9];
  } big{};
  for (int i = 0; i < 9; ++i)
    big.numbers[i] = i * p[3];
  char small = 3;
  exp_::if_device_has<aspect::gpu>([=] {
    p[0] = widened(static_cast<int>(big.numbers[8]) + small);
  }).otherwise([=] { p[0] = static_cast<int>(big.numbers[2]) + small; });
}

struct Counted {
  int *p;
  Counted(int *p) : p(p) {}
  Counted(const Counted &other) : p(other.p) { ++p[0]; }
  ~Counted() { ++p[1]; }
  int operator()() { return p[2] += widened(2); }
};
TASK void copies(int *p) {
  Counted object(p);
  exp_::if_device_has<aspect::cpu>(object).otherwise(object);
}
TASK void same_action(int *p) {
  auto add = [=] { p[0] += widened(p[1]); };
  exp_::if_device_has<aspect::gpu>(add);
  exp_::if_device_has<aspect::cpu>(add);
}
TASK void plainly_too(int *p) {
  auto add = [=] { p[0] += widened(p[1]); };
  exp_::if_device_has<aspect::gpu>(add);
  add();
}
TASK void wide_and_asks(int *p) {
  p[0] = widened(p[1]);
  exp_::if_device_has<aspect::gpu>([=] { p[1] = halved<sycl::half>(p[2]); });
}
TASK void calls_a_kernel(int *p) {
  wide_if_gpu(p);
  wide_if_cpu(p + 1);
}
TASK void kernel_under_condition(int *p) {
  exp_::if_device_has<aspect::gpu>([=] { wide_if_wide(p); });
  exp_::if_device_has<aspect::cpu>([=] { wide_unless_wide(p + 1); });
}
TASK void says_in_attribute(int *p) {
  exp_::if_device_has<aspect::gpu>([=]() [[sycl::device_has(aspect::accelerator)]] {
    p[0] = 9;
  }).otherwise([=]() [[sycl::device_has(aspect::fp64)]] { p[0] = 10; });
}
GROUPS [[sycl::reqd_sub_group_size(16)]] void sized(int *p) {
  int i = ext::this_work_item::get_nd_item<1>().get_global_id(0);
  exp_::if_device_has<aspect::gpu>([=] { p[i] = widened(i); }).otherwise([=] { p[i] = 11; });
}

SYCL_EXTERNAL void shared(int *p) {
  p[0] = 12;
  exp_::if_device_has<aspect::gpu>([=] { p[1] = widened(p[2]); });
}
SYCL_EXTERNAL int shared_wide(int x) { return widened(x); }
TASK void calls_shared(int *p) { shared(p); }
TASK void calls_shared_wide(int *p) { p[0] = shared_wide(p[1]); }
TASK void shared_under_condition(int *p) {
  exp_::if_device_has<aspect::cpu>([=] { shared(p); }).otherwise([=] { p[5] = shared_wide(p[0]); });
}
