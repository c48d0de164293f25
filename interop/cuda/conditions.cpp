// Conditional code for condition_checks.py.
#include <sycl/sycl.hpp>
namespace exp_ = sycl::ext::oneapi::experimental;
using exp_::architecture;
using sycl::aspect;
#define TASK SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::single_task_kernel))

SYCL_EXTERNAL void elsewhere(int *p);
template <aspect A, aspect B> inline void both(int *p, int with, int without) {
  exp_::if_device_has<A, B>([=] { *p += with; }).otherwise([=] { *p += without; });
}

TASK void one_clause(int *p) {
  exp_::if_device_has<aspect::fp64>([=] { p[0] = 1; });
}

TASK void five_clauses(int *p) {
  exp_::if_architecture_is<architecture::intel_gpu_skl>([=] { p[0] = 1; })
      .else_if_architecture_is<architecture::intel_gpu_pvc, architecture::intel_gpu_dg1>(
          [=] { p[0] = 2; })
      .else_if_architecture_is<architecture::x86_64>([=] { p[0] = 3; })
      .else_if_architecture_is<architecture::intel_gpu_acm_g10>([=] { p[0] = 4; })
      .otherwise([=] { p[0] = 5; });
  exp_::if_device_has<aspect::fp64, aspect::gpu>([=] { p[1] = 1; })
      .else_if_device_has<aspect::fp64>([=] { p[1] = 2; })
      .else_if_device_has<aspect::gpu, aspect::fp16>([=] { p[1] = 3; })
      .otherwise([=] { p[1] = 4; });
}

TASK void nested(int *p) {
  exp_::if_device_has<aspect::gpu>([=] {
    p[0] = 1;
    exp_::if_device_has<aspect::fp64>([=] {
      p[1] = 2;
      exp_::if_architecture_is<architecture::intel_gpu_pvc>([=] { p[2] = 3; }).otherwise([=] {
        p[2] = 4;
      });
    }).otherwise([=] { p[1] = 5; });
  }).otherwise([=] {
    exp_::if_device_has<aspect::fp64>([=] { p[0] = static_cast<int>(2.5 * p[3]); });
  });
}

TASK void in_loop(int *p) {
  for (int i = 0; i < 5; ++i)
    exp_::if_device_has<aspect::gpu>([=] { p[0] += i; }).otherwise([=] { p[0] += 10 * i; });
}

TASK void in_template(int *p) {
  both<aspect::fp64, aspect::gpu>(p, 10, 20);
  both<aspect::fp64, aspect::cpu>(p, 300, 400);
}

TASK void across(int *p) { elsewhere(p); }

// Neither trivially copyable nor destructible: the second number counts the live objects.
struct Tracked {
  int *p;
  int value;
  Tracked(int *p, int value) : p(p), value(value) { ++p[1]; }
  Tracked(const Tracked &other) : p(other.p), value(other.value) { ++p[1]; }
  ~Tracked() { --p[1]; }
};
TASK void tracked(int *p) {
  Tracked object(p, 42);
  exp_::if_device_has<aspect::gpu>([=] { object.p[0] = object.value; }).otherwise([=] {
    object.p[0] = -object.value;
  });
}

TASK void same_action(int *p) {
  auto add = [=] { p[0] += 1; };
  exp_::if_device_has<aspect::gpu>(add);
  exp_::if_device_has<aspect::fp64>(add).otherwise([=] { p[1] = 9; });
  add();
}

// The optimiser would merge the calls of one function in both branches.
TASK void in_branches(int *p) {
  auto add = [=] { p[0] += 1; };
  if (p[3])
    exp_::if_device_has<aspect::gpu>(add);
  else
    exp_::if_device_has<aspect::fp64>(add);
}

TASK void captures(int *p) {
  struct Big {
    long numbers[9];
  } big{};
  for (int i = 0; i < 9; ++i)
    big.numbers[i] = i * p[3];
  char small = 3;
  exp_::if_device_has<aspect::fp64>([=] {
    p[0] = static_cast<int>(big.numbers[8]) + small;
  }).otherwise([=] { p[0] = static_cast<int>(big.numbers[2]) + small; });
  exp_::if_device_has<aspect::fp64>([] {}).otherwise([] {});
}
