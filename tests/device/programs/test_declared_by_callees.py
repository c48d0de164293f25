"""What a kernel's callees declare keeps it from devices, whether it uses a feature or not."""

import numpy as np
import pytest
from designs import Design

from dovetail import KernelNotSupported, NdRange, Queue

pytestmark = pytest.mark.device

SOURCE = """\
#include <sycl/sycl.hpp>
namespace syclexp = sycl::ext::oneapi::experimental;
#define KERNEL SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))

[[sycl::device_has(sycl::aspect::fp64)]] inline void declares(int *p) { *p = 1; }
inline void between(int *p) { declares(p); }
KERNEL void needs_fp64(int *p) { between(p); }
KERNEL void plain(int *p) { *p = static_cast<int>(*p * 2.0f); }
KERNEL void narrowed(float *p) { *p = *p * 2.0; }
"""


@pytest.mark.parametrize("aspects", ["written", "optimized"])
def test_a_device_without_it(design: Design, aspects: str) -> None:
    program = design.build(SOURCE, aspects=aspects)
    cpu = Queue().device
    without = Queue(cpu.as_target("intel_gpu_acm_g10"))
    number = np.array([3], np.int32)
    with pytest.raises(KernelNotSupported, match="fp64"):
        without.parallel_for(program["needs_fp64"], NdRange((1,), (1,)), number)
    without.parallel_for(program["plain"], NdRange((1,), (1,)), number).wait()
    assert number[0] == 6
    Queue(cpu).parallel_for(program["needs_fp64"], NdRange((1,), (1,)), number).wait()
    assert number[0] == 1


def test_what_optimisation_removes(design: Design) -> None:
    program = design.build(SOURCE, aspects="optimized")
    cpu = Queue().device
    number = np.array([3], np.float32)
    queue = Queue(cpu.as_target("intel_gpu_acm_g10"))
    queue.parallel_for(program["narrowed"], NdRange((1,), (1,)), number).wait()
    assert number[0] == 6
