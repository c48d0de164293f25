"""Random kernels have no undefined behavior, before and after shrinking."""

import subprocess
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from differential.generation import random_kernels
from differential.model import Kernel
from differential.shrinking import candidates
from differential.sources import reference_source

from dovetail.resources import CLANG, tool_path

# Failed checks trap, which needs no runtime library.
_CHECKS = "undefined,float-cast-overflow"


def _run_checked(kernels: Sequence[Kernel], folder: Path) -> None:
    source, program = folder / "reference.cpp", folder / "reference"
    source.write_text(reference_source(kernels))
    words = ["-std=c++17", "-w", f"-fsanitize={_CHECKS}", f"-fsanitize-trap={_CHECKS}"]
    command = [tool_path(CLANG), *words, str(source), "-o", str(program)]
    subprocess.run(command, check=True)
    ran = subprocess.run([str(program)], capture_output=True, text=True)
    assert ran.returncode == 0, f"the kernel after {ran.stdout[-400:]}"
    assert len(ran.stdout.splitlines()) == len(kernels)


def test_generated_kernels(tmp_path: Path) -> None:
    _run_checked(random_kernels(7, range(60)), tmp_path)


def test_shrunk_kernels(tmp_path: Path) -> None:
    tried = [
        smaller
        for kernel in random_kernels(7, range(8))
        for smaller in islice(candidates(kernel), 0, None, 25)
    ]
    assert len(tried) > 20
    _run_checked([replace(each, number=number) for number, each in enumerate(tried)], tmp_path)
