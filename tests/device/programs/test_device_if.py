"""What is called on some devices alone: add-ons chosen as the program runs, and decided before."""

from collections.abc import Sequence

import numpy as np
import pytest

import dovetail
from dovetail import Device, KernelAssertionFailed, NdRange, NoImageForDevice, Program, Queue

pytestmark = pytest.mark.device

HEADER = """
#include <sycl/sycl.hpp>
namespace ext = sycl::ext::oneapi;
namespace exp_ = sycl::ext::oneapi::experimental;
using sycl::aspect;
using exp_::architecture;
#define TASK SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::single_task_kernel))
"""

# In another source than its caller; the template is in both.
LIBRARY = (
    HEADER
    + """
template <aspect A, aspect B> inline void both(int *p, int with, int without) {
  exp_::if_device_has<A, B>([=] { *p += with; }).otherwise([=] { *p += without; });
}
SYCL_EXTERNAL void elsewhere(int *p) {
  exp_::if_architecture_is<architecture::intel_gpu_pvc>([=] { p[0] = 71; })
      .otherwise([=] { p[0] = 72; });
  both<aspect::fp64, aspect::gpu>(p + 1, 1, 2);
}
"""
)

SOURCE = (
    HEADER
    + """
SYCL_EXTERNAL void elsewhere(int *p);
template <aspect A, aspect B> inline void both(int *p, int with, int without) {
  exp_::if_device_has<A, B>([=] { *p += with; }).otherwise([=] { *p += without; });
}

TASK void one_clause(int *p) { exp_::if_device_has<aspect::fp64>([=] { p[0] = 1; }); }

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
      exp_::if_architecture_is<architecture::intel_gpu_pvc>([=] { p[2] = 3; })
          .otherwise([=] { p[2] = 4; });
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

// Neither trivially copied nor trivially destroyed: the second number counts those that are there.
struct Tracked {
  int *p;
  int value;
  Tracked(int *p, int value) : p(p), value(value) { ++p[1]; }
  Tracked(const Tracked &other) : p(other.p), value(other.value) { ++p[1]; }
  ~Tracked() { --p[1]; }
};
TASK void tracked(int *p) {
  Tracked object(p, 42);
  exp_::if_device_has<aspect::gpu>([=] { object.p[0] = object.value; })
      .otherwise([=] { object.p[0] = -object.value; });
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
  struct Big { long numbers[9]; } big{};
  for (int i = 0; i < 9; ++i)
    big.numbers[i] = i * p[3];
  char small = 3;
  exp_::if_device_has<aspect::fp64>([=] { p[0] = static_cast<int>(big.numbers[8]) + small; })
      .otherwise([=] { p[0] = static_cast<int>(big.numbers[2]) + small; });
  exp_::if_device_has<aspect::fp64>([] {}).otherwise([] {});
}
"""
)

GROUPS = (
    HEADER
    + """
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::nd_range_kernel<1>)) void local(int *p) {
  auto item = ext::this_work_item::get_nd_item<1>();
  int i = item.get_global_id(0), l = item.get_local_id(0);
  auto outside = ext::group_local_memory<int[8]>(item.get_group());
  (*outside)[l] = l;
  exp_::if_device_has<aspect::fp64>([=] {
    auto inside = ext::group_local_memory<int[8]>(item.get_group());
    (*inside)[l] = i;
    sycl::group_barrier(item.get_group());
    p[i] = (*inside)[7 - l] + sycl::reduce_over_group(item.get_group(), 1, sycl::plus<int>());
  });
  sycl::group_barrier(item.get_group());
  p[i] += 1000 * (*outside)[7 - l];
}
"""
)

ASSERTION = (
    "#include <cassert>"
    + HEADER
    + """
TASK void checked(int *p) {
  exp_::if_device_has<aspect::fp64>([=] { assert(p[0] == 1 && "in an add-on"); });
}
"""
)

COPIED = (
    HEADER
    + """
struct Counted {
  int *p;
  Counted(int *p) : p(p) {}
  Counted(const Counted &other) : p(other.p) { ++p[0]; }
  ~Counted() { ++p[1]; }
  int operator()() { return ++p[2]; }
};
TASK void copied(int *p) {
  Counted object(p);
  exp_::if_device_has<aspect::cpu>(object).otherwise(object);
  exp_::if_device_has<aspect::cpu>([=] { ++object.p[2]; });
}
"""
)

TARGETS = ("", "intel_gpu_pvc", "intel_gpu_acm_g10", "nvidia_gpu_sm_50")
"""Those that devices stand for; the first is the device itself."""
AHEAD = ("x86_64", "intel_gpu_pvc", "intel_gpu_acm_g10")


def expected(device: Device, target: str) -> dict[str, list[int]]:
    """What each kernel leaves in four numbers, the last of which is 2 before."""
    gpu, cpu, fp64, fp16 = map(device.has, ("gpu", "cpu", "fp64", "fp16"))
    pvc, acm = target == "intel_gpu_pvc", target == "intel_gpu_acm_g10"
    x86 = target in ("", "x86_64")
    chain = 1 if fp64 and gpu else 2 if fp64 else 3 if gpu and fp16 else 4
    inner = [1, 2 if fp64 else 5, (3 if pvc else 4) if fp64 else 0]
    both = fp64 and gpu
    return {
        "one_clause": [int(fp64), 0, 0, 2],
        "five_clauses": [2 if pvc else 3 if x86 else 4 if acm else 5, chain, 0, 2],
        "nested": [*(inner if gpu else [5 if fp64 else 0, 0, 0]), 2],
        "in_loop": [10 if gpu else 100, 0, 0, 2],
        "in_template": [(10 if both else 20) + (300 if fp64 and cpu else 400), 0, 0, 2],
        "across": [71 if pvc else 72, 1 if both else 2, 0, 2],
        "tracked": [42 if gpu else -42, 0, 0, 2],
        "same_action": [1 + gpu + fp64, 0 if fp64 else 9, 0, 2],
        "in_branches": [int(gpu), 0, 0, 2],
        "captures": [8 * 2 + 3 if fp64 else 2 * 2 + 3, 0, 0, 2],
    }


def results(program: Program, device: Device) -> dict[str, list[int]]:
    queue = Queue(device)
    left: dict[str, list[int]] = {}
    for kernel in program.kernels:
        numbers = np.array([0, 0, 0, 2], np.int32)
        queue.single_task(kernel, numbers).wait()
        left[kernel.name] = numbers.tolist()
    return left


def standing_for(target: str) -> Device:
    device = Queue().device
    return device.as_target(target) if target else device


def built(*targets: str, split: str = "auto", optimization: int = 2) -> Program:
    return dovetail.build(
        SOURCE, LIBRARY, targets=targets, device_code_split=split, optimization=optimization
    )


@pytest.fixture(scope="module")
def at_run_time() -> Program:
    return built()


@pytest.mark.parametrize("target", TARGETS)
def test_add_ons(at_run_time: Program, target: str) -> None:
    device = standing_for(target)
    assert results(at_run_time, device) == expected(device, target)


def test_expectations_differ() -> None:
    """Else the tests here would show little."""
    seen = [expected(standing_for(target), target) for target in TARGETS]
    assert all(len({str(each[kernel]) for each in seen}) > 1 for kernel in seen[0])


@pytest.mark.parametrize("split", ["off", "per_kernel"])
def test_add_ons_however_kernels_are_grouped(split: str) -> None:
    program = built(split=split)
    for target in TARGETS[:3]:
        device = standing_for(target)
        assert results(program, device) == expected(device, target)


def test_without_optimization() -> None:
    device = standing_for("intel_gpu_pvc")
    assert results(built(optimization=0), device) == expected(device, "intel_gpu_pvc")


@pytest.mark.parametrize("targets", [AHEAD, ("spir64", *AHEAD)])
def test_decided_ahead_of_time(targets: Sequence[str]) -> None:
    program = built(*targets)
    for target in ("", *AHEAD[1:]):
        device = standing_for(target)
        assert results(program, device) == expected(device, target)


def test_code_for_another_target_is_not_taken() -> None:
    program = built("intel_gpu_pvc")
    with pytest.raises(NoImageForDevice, match="decided conditions for intel_gpu_pvc"):
        results(program, standing_for("intel_gpu_acm_g10"))


@pytest.mark.parametrize(
    ("targets", "device_if", "resolve"),
    [
        ((), "calls", ""),
        (("x86_64",), "calls", "early"),
        (("x86_64",), "calls", "late"),
        (("x86_64",), "macros", ""),
    ],
)
def test_a_callable_is_copied_as_often_whoever_decides(
    targets: Sequence[str],
    device_if: str,
    resolve: str,
) -> None:
    program = dovetail.build(
        COPIED, targets=targets, device_if=device_if, device_if_resolve=resolve
    )
    kernel = program["copied"]
    numbers = np.zeros(3, np.int32)
    Queue().single_task(kernel, numbers).wait()
    # Once as each is passed, no copy behind that; the object itself is destroyed too.
    assert numbers.tolist() == [3, 4, 2]


@pytest.mark.parametrize("target", TARGETS[:3])
def test_local_memory_in_add_ons(target: str) -> None:
    device = standing_for(target)
    numbers = np.zeros(16, np.int32)
    program = dovetail.build(GROUPS)
    Queue(device).parallel_for(program["local"], NdRange((16,), (8,)), numbers).wait()
    inside = [8 * (i // 8) + 7 - i % 8 + 8 if device.has("fp64") else 0 for i in range(16)]
    assert numbers.tolist() == [inside[i] + 1000 * (7 - i % 8) for i in range(16)]


@pytest.mark.parametrize("targets", [(), ("x86_64",)])
def test_failed_assertions_are_told(targets: Sequence[str]) -> None:
    kernel = dovetail.build(ASSERTION, targets=targets)["checked"]
    queue = Queue()
    queue.single_task(kernel, np.array([1], np.int32)).wait()
    with pytest.raises(KernelAssertionFailed, match="in an add-on"):
        queue.single_task(kernel, np.array([2], np.int32)).wait()
    queue.single_task(kernel, np.array([1], np.int32)).wait()


def test_assertions_in_stubs_hold() -> None:
    kernel = dovetail.build(ASSERTION)["checked"]
    queue = Queue(standing_for("intel_gpu_acm_g10"))
    queue.single_task(kernel, np.array([2], np.int32)).wait()
