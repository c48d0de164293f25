"""What is called on some devices alone: decided as the program runs, and before."""

from collections.abc import Sequence

import numpy as np
import pytest
from designs import Design
from interop.cuda.condition_checks import BEFORE, SOURCES, expected
from variants import variant

from dovetail import Device, KernelAssertionFailed, NdRange, NoImageForDevice, Program, Queue

pytestmark = [pytest.mark.device, pytest.mark.usefixtures("own_cpu_kind")]

HEADER = """
#include <sycl/sycl.hpp>
namespace ext = sycl::ext::oneapi;
namespace exp_ = sycl::ext::oneapi::experimental;
using sycl::aspect;
using exp_::architecture;
#define TASK SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::single_task_kernel))
"""

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
  exp_::if_device_has<aspect::fp64>([=] { assert(p[0] == 1 && "under a condition"); });
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


def results(program: Program, device: Device) -> dict[str, list[int]]:
    queue = Queue(device)
    left: dict[str, list[int]] = {}
    for kernel in program.kernels:
        numbers = np.array(BEFORE, np.int32)
        queue.single_task(kernel, numbers).wait()
        left[kernel.name] = numbers.tolist()
    return left


def standing_for(target: str) -> Device:
    device = Queue().device
    return device.as_target(target) if target else device


def built(design: Design, *targets: str, split: str = "auto", optimization: int = 2) -> Program:
    return design.build(
        *SOURCES, targets=targets, device_code_split=split, optimization=optimization
    )


@pytest.fixture(scope="module")
def at_run_time(design: Design) -> Program:
    return built(design)


@pytest.mark.parametrize("target", TARGETS)
def test_decided_as_the_program_runs(at_run_time: Program, target: str) -> None:
    device = standing_for(target)
    assert results(at_run_time, device) == expected(device.has, target)


def test_expectations_differ() -> None:
    """Else the tests here would show little."""
    seen = [expected(standing_for(target).has, target) for target in TARGETS]
    assert all(len({str(each[kernel]) for each in seen}) > 1 for kernel in seen[0])


@pytest.mark.parametrize("split", [variant("off"), "per_kernel"])
def test_decided_however_kernels_are_grouped(split: str, design: Design) -> None:
    program = built(design, split=split)
    for target in TARGETS[:3]:
        device = standing_for(target)
        assert results(program, device) == expected(device.has, target)


def test_without_optimization(design: Design) -> None:
    device = standing_for("intel_gpu_pvc")
    assert results(built(design, optimization=0), device) == expected(device.has, "intel_gpu_pvc")


@pytest.mark.parametrize("targets", [variant(AHEAD), ("spir64", *AHEAD)])
def test_decided_ahead_of_time(targets: Sequence[str], design: Design) -> None:
    program = built(design, *targets)
    for target in ("", *AHEAD[1:]):
        device = standing_for(target)
        assert results(program, device) == expected(device.has, target)


def test_code_for_another_target_is_not_taken(design: Design) -> None:
    program = built(design, "intel_gpu_pvc")
    with pytest.raises(NoImageForDevice, match="are resolved for intel_gpu_pvc"):
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
    design: Design,
) -> None:
    program = design.build(COPIED, targets=targets, device_if=device_if, device_if_resolve=resolve)
    kernel = program["copied"]
    numbers = np.zeros(3, np.int32)
    Queue().single_task(kernel, numbers).wait()
    # Once as each is passed, no copy behind that; the object itself is destroyed too.
    assert numbers.tolist() == [3, 4, 2]


@pytest.mark.parametrize("target", TARGETS[:3])
def test_local_memory(target: str, design: Design) -> None:
    device = standing_for(target)
    numbers = np.zeros(16, np.int32)
    program = design.build(GROUPS)
    Queue(device).parallel_for(program["local"], NdRange((16,), (8,)), numbers).wait()
    inside = [8 * (i // 8) + 7 - i % 8 + 8 if device.has("fp64") else 0 for i in range(16)]
    assert numbers.tolist() == [inside[i] + 1000 * (7 - i % 8) for i in range(16)]


@pytest.mark.parametrize("targets", [(), ("x86_64",)])
def test_failed_assertions_are_told(targets: Sequence[str], design: Design) -> None:
    kernel = design.build(ASSERTION, targets=targets)["checked"]
    queue = Queue()
    queue.single_task(kernel, np.array([1], np.int32)).wait()
    with pytest.raises(KernelAssertionFailed, match="under a condition"):
        queue.single_task(kernel, np.array([2], np.int32)).wait()
    queue.single_task(kernel, np.array([1], np.int32)).wait()


def test_assertions_in_what_is_not_called_hold(design: Design) -> None:
    kernel = design.build(ASSERTION)["checked"]
    queue = Queue(standing_for("intel_gpu_acm_g10"))
    queue.single_task(kernel, np.array([2], np.int32)).wait()
