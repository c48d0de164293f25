"""Every function on numbers on the CPU, held to the bounds that code for GPUs is held to."""

from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from interop.cuda.math_checks import math_checks

import dovetail
from dovetail import KernelNotSupported, Queue

pytestmark = pytest.mark.device

CHECKS = {kernel: [*checks] for kernel, checks in groupby(math_checks(), lambda c: c.kernel)}


@pytest.fixture(scope="module")
def program() -> dovetail.Program:
    return dovetail.build(Path(__file__).parents[3] / "interop/cuda/math.cpp")


@pytest.mark.parametrize("kernel", CHECKS)
def test_every_function(program: dovetail.Program, kernel: str) -> None:
    checks = CHECKS[kernel]
    assert len(checks) > 20
    arrays = [a.copy() for a in checks[0].arguments if isinstance(a, np.ndarray)]
    count = checks[0].arguments[-1]
    try:
        Queue().single_task(program[kernel], *arrays, count).wait()
    except KernelNotSupported as error:
        pytest.skip(str(error))
    assert [check.note for check in checks if not check.judge(arrays)] == []
    # A table that is nowhere near is told from a right one.
    arrays[-1][:] = 0.123
    assert not any(check.judge(arrays) for check in checks)
