"""One kernel of each kind, as `interop/cuda` starts them on NVIDIA's GPUs: the CPU agrees."""

from pathlib import Path

import numpy as np
import pytest
from designs import Design
from interop.cuda import checks

from dovetail import NdRange, Program, Queue

pytestmark = pytest.mark.device

_ALL = list(checks.all_checks())
_HERE = [check for check in _ALL if not check.for_gpus]
_KERNELS = dict.fromkeys(check.kernel for check in _HERE)


@pytest.fixture(scope="module")
def program(design: Design) -> Program:
    return design.build(Path(checks.__file__).with_name("kernels.cpp"))


@pytest.fixture(scope="module")
def queue() -> Queue:
    return Queue()


@pytest.mark.parametrize("kernel", _KERNELS)
def test_numpy_agrees(program: Program, queue: Queue, kernel: str) -> None:
    for check in (each for each in _HERE if each.kernel == kernel):
        arguments = [_copied(argument) for argument in check.arguments]
        queue.parallel_for(program[kernel], NdRange(check.shape, check.group), *arguments).wait()
        results = [each for each in arguments if isinstance(each, np.ndarray)]
        assert check.judge(results), check.label


def test_every_kernel_is_checked(program: Program) -> None:
    assert {kernel.name for kernel in program.kernels} == {check.kernel for check in _ALL}


@pytest.mark.parametrize("kernel", dict.fromkeys(check.kernel for check in _ALL))
def test_wrong_results_are_seen(kernel: str) -> None:
    """A kernel that does nothing must not pass."""
    for check in (each for each in _ALL if each.kernel == kernel):
        arrays = [each for each in check.arguments if isinstance(each, np.ndarray)]
        inner = [each for each in check.arguments if isinstance(each, checks.KernelObject)]
        assert not check.judge(arrays + [array for each in inner for _, array in each.pointers])


def _copied(argument: checks.Argument) -> checks.Argument | bytes:
    match argument:
        case np.ndarray():
            return argument.copy()
        case checks.KernelObject():
            return argument.content
        case _:
            return argument
