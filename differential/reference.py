"""Expected results: the kernels' text as host functions, compiled by plain clang.

The reference is built without optimization and with `-fwrapv`, to avoid the code under test.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from differential.model import Kernel
from differential.sources import reference_source
from dovetail.resources import CLANG, tool_path

_FLAGS = (
    *("-std=c++17", "-O0", "-fwrapv", "-ffp-contract=off", "-w"),
    # Round after each operation on halves, as devices do.
    *("-Xclang", "-ffloat16-excess-precision=none"),
)


@dataclass(frozen=True)
class Expected:
    """The input of a kernel and its results, in hexadecimal."""

    input: str
    results: str
    """The output, a space, and the counters."""


def expected_results(kernels: Sequence[Kernel], folder: Path) -> dict[int, Expected]:
    """Return the expected results of kernels, by number."""
    source, program = folder / "reference.cpp", folder / "reference"
    source.write_text(reference_source(kernels))
    subprocess.run([tool_path(CLANG), *_FLAGS, str(source), "-o", str(program)], check=True)
    ran = subprocess.run([str(program)], check=True, capture_output=True, text=True)
    lines = [line.split(maxsplit=3) for line in ran.stdout.splitlines()]
    return {int(number): Expected(input_, results) for _, number, input_, results in lines}
