"""Programs for several targets: the code of each is taken by the devices that it is for."""

import numpy as np
import pytest
from designs import Design

from dovetail import KernelNotSupported, NoImageForDevice, Program, Queue

pytestmark = [pytest.mark.device, pytest.mark.usefixtures("own_cpu_kind")]

KERNELS = """
#include <sycl/sycl.hpp>
namespace exp_ = sycl::ext::oneapi::experimental;
#define TASK SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::single_task_kernel))
#ifdef __SYCL_TARGET_INTEL_GPU_ACM_G10__
constexpr int which = __SYCL_TARGET_INTEL_GPU_ACM_G10__;
#elif defined(__SYCL_TARGET_INTEL_X86_64__)
constexpr int which = 2 * __SYCL_TARGET_INTEL_X86_64__;
#else
constexpr int which = 3;
#endif
TASK void tell(int *p) { *p = which; }
TASK void twice(double *p) { *p *= 2; }
"""


def told(program: Program, queue: Queue) -> int:
    result = np.zeros(1, np.int32)
    queue.single_task(program["tell"], result)
    queue.wait()
    return int(result[0])


def test_processor_takes_the_code_for_processors(design: Design) -> None:
    assert told(design.build(KERNELS, targets="spir64_x86_64"), Queue()) == 2
    both = "spir64_x86_64,intel_gpu_acm_g10"
    assert told(design.build(KERNELS, targets=both), Queue()) == 3


def test_code_for_another_target_is_refused_and_for_the_one_it_stands_for_taken(
    design: Design,
) -> None:
    program = design.build(KERNELS, targets="intel_gpu_acm_g10")
    device = Queue().device
    refused = program["tell"].fit(device)
    assert isinstance(refused, NoImageForDevice)
    assert "SPIR-V for intel_gpu_acm_g10" in refused.message
    assert told(program, Queue(device.as_target("intel_gpu_acm_g10"))) == 1


def test_kernel_that_was_filtered_out_is_refused_with_the_reason(design: Design) -> None:
    program = design.build(KERNELS, targets="intel_gpu_acm_g10")
    emulated = Queue().device.as_target("intel_gpu_acm_g10")
    refused = program["twice"].fit(emulated)
    assert isinstance(refused, KernelNotSupported)
    assert refused.aspects == ("fp64",)
