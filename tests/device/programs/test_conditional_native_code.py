"""Programs with one image for different devices: native code, and the SPIR-V beside it."""

from collections.abc import Sequence

import numpy as np
import pytest

import dovetail
from dovetail import KernelNotSupported, Program, Queue
from dovetail.image import read_program
from dovetail.runtime import built_code
from dovetail.runtime.backend import BackendDevice, Code, CodeKind
from dovetail.runtime.native_code import cpu_kind_of
from dovetail.settings import CACHE

pytestmark = [pytest.mark.device, pytest.mark.usefixtures("own_cpu_kind")]

KERNELS = """
#include <sycl/sycl.hpp>
namespace exp_ = sycl::ext::oneapi::experimental;
#define TASK SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::single_task_kernel))
TASK void plain(float *p) { *p += 1; }
TASK void twofold(double *p) { *p *= 2; }
TASK [[sycl::device_has(sycl::aspect::gpu)]] void for_gpus(float *p) { *p = 3; }
TASK void asking(float *p) {
  exp_::if_device_has<sycl::aspect::cpu>([=] { *p = 4; }).otherwise([=] { *p = 5; });
}
TASK void double_on_gpus(float *p) {
  exp_::if_device_has<sycl::aspect::gpu>([=] { *p = float(double(*p) / 3); });
}
"""
TARGETS = ("x86_64", "intel_gpu_acm_g10", "spir64")
DEVICES = ("", "intel_gpu_acm_g10", "intel_gpu_pvc")
"""Those that the device at hand stands for; it itself first."""


@pytest.fixture(scope="module")
def programs() -> dict[str, Program]:
    """The same kernels, in images of their own and in one image."""
    return {
        design: dovetail.build(KERNELS, targets=TARGETS, optional_features=design)
        for design in ("split", "conditional")
    }


def queue(target: str) -> Queue:
    return Queue(Queue().device.as_target(target)) if target else Queue()


def result(program: Program, kernel: str, where: Queue) -> float:
    value = np.full(1, 9, np.float64 if kernel == "twofold" else np.float32)
    where.single_task(program[kernel], value)
    where.wait()
    return float(value[0])


def test_native_code_is_taken_and_has_conditions_decided(
    programs: dict[str, Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    (image,) = read_program(programs["conditional"].to_bytes()).abstract_modules
    left_out = image.info.filtered_kernels
    assert {name: len(kernels) for name, kernels in left_out.items()} == {
        "x86_64": 1,
        "intel_gpu_acm_g10": 2,
    }
    kinds: list[CodeKind] = []
    # Which kind the driver compiles for is asked once, with a kernel that is not counted here.
    cpu_kind_of(Queue().device.native)
    anew = built_code._compile  # pyright: ignore[reportPrivateUsage]

    def note(parts: Sequence[Code], device: BackendDevice) -> object:
        kinds.append(parts[0].kind)
        return anew(parts, device)

    monkeypatch.setattr(built_code, "_compile", note)
    monkeypatch.setenv(CACHE.variable, "off")
    program = Program.from_bytes(programs["conditional"].to_bytes())
    assert result(program, "plain", Queue()) == 10
    assert result(program, "asking", Queue()) == 4
    assert result(program, "twofold", Queue()) == 18
    assert set(kinds) == {CodeKind.NATIVE}


@pytest.mark.parametrize("target", DEVICES)
@pytest.mark.parametrize("kernel", ["plain", "twofold", "for_gpus", "asking", "double_on_gpus"])
def test_both_ways_run_and_refuse_the_same(
    programs: dict[str, Program], kernel: str, target: str
) -> None:
    where = queue(target)
    split, conditional = (programs[way][kernel].fit(where.device) for way in programs)
    assert type(split) is type(conditional)
    if isinstance(split, KernelNotSupported):
        assert isinstance(conditional, KernelNotSupported)
        assert conditional.message == split.message
        assert conditional.aspects == split.aspects
        return
    first, second = (result(programs[way], kernel, where) for way in programs)
    assert first == second
