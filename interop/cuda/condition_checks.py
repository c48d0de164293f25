"""The expected results of the kernels in `conditions.cpp`, by architecture and aspects."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from dovetail.targets import Target
from interop.cuda.checks import Check, equal

SOURCES = [
    Path(__file__).with_name(name) for name in ("conditions.cpp", "conditions_elsewhere.cpp")
]

BEFORE = (0, 0, 0, 2)
"""The four numbers before a kernel."""


def condition_checks(target: Target) -> Iterator[Check]:
    """Yield the checks for a device of a target."""
    for kernel, numbers in expected(target.aspects.__contains__, target.name).items():
        judge = equal(np.array(numbers, "i4"))
        yield Check(kernel, (1,), (1,), (np.array(BEFORE, "i4"),), judge)


def expected(has: Callable[[str], bool], target: str) -> dict[str, list[int]]:
    """Return the four numbers after each kernel; the last one is 2 before.

    `has` returns whether the device has an aspect; without a name, the target is the host's CPU.
    """
    gpu, cpu, fp64, fp16 = map(has, ("gpu", "cpu", "fp64", "fp16"))
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
