"""Builds and runs kernels, and compares their results with the expected ones.

Hundreds of kernels share a source. If the build of a source fails, or its process crashes or hangs,
bisection isolates the faulty kernels, and all others are still compared.
"""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from differential.model import Kernel
from differential.reference import Expected
from differential.sources import device_source, program_source
from differential.worker import Job, launch_of
from dovetail.settings import CACHE

if TYPE_CHECKING:
    from dovetail.driver.building import OptimizationLevel, OptionalFeatureMode

_LEVELS: dict[int, OptimizationLevel] = {0: 0, 1: 1, 2: 2, 3: 3}

BASE_LIMIT_S = 120.0
LIMIT_PER_KERNEL_S = 3.0
"""A process hangs if it takes longer than the base limit plus this for each kernel."""
MEMORY_LIMIT_BYTES = 6 << 30
"""The address space of a process. Drivers may use all memory of a machine for one kernel."""


@dataclass(frozen=True)
class BuildConfig:
    """A configuration in which kernels are built and run."""

    level: int
    design: OptionalFeatureMode = "split"
    """The value of `-fsycl-optional-features`: "split" or "conditional"."""
    clang_vectors: bool = False
    lambdas: bool = False
    """Whether kernels are lambda expressions in a program, not free functions for Python."""
    vectorizer: bool = True
    """Whether the vectorizer of the CPU device's driver is on, which takes most of its time."""

    def __str__(self) -> str:
        vectors = "clang's vectors" if self.clang_vectors else "sycl::vec"
        form = "lambda expressions" if self.lambdas else "free functions"
        vectorizer = "on" if self.vectorizer else "off"
        return f"-O{self.level}, {self.design}, {vectors}, {form}, vectorizer {vectorizer}"


@dataclass(frozen=True)
class Fault:
    """A fault of one kernel."""

    kernel: Kernel
    config: BuildConfig
    kind: str
    """"wrong result", "build", "crash" or "hang"."""
    detail: str
    """A message, or expected and actual values."""


@dataclass
class Run:
    """The results of one process."""

    results: dict[int, str] = field(default_factory=dict[int, str])
    started: int | None = None
    """The number of the kernel that was launched but did not finish."""
    kind: str = ""
    """The kind of fault that ended the process; empty if it succeeded."""
    detail: str = ""


@dataclass
class Outcome:
    """The result of checking some kernels."""

    faults: list[Fault] = field(default_factory=list[Fault])
    checked: int = 0
    processes: int = 0


Runner = Callable[[Sequence[Kernel]], Run]


def check(
    kernels: Sequence[Kernel],
    expected: Mapping[int, Expected],
    config: BuildConfig,
    run: Runner | None = None,
) -> Outcome:
    """Run all kernels in one configuration and compare results; tests replace `run_kernels`."""
    outcome = Outcome()
    run = run or (lambda some: run_kernels(some, expected, config))
    pending = [list(kernels)]
    while pending:
        some = pending.pop()
        if not some:
            continue
        ran = run(some)
        outcome.processes += 1
        done = [kernel for kernel in some if kernel.number in ran.results]
        outcome.checked += len(done)
        outcome.faults += _wrong_results(done, ran.results, expected, config)
        left = [kernel for kernel in some if kernel.number not in ran.results]
        if not left:
            continue
        if len(some) == 1:
            outcome.checked += 1
            kind, detail = ran.kind or "crash", ran.detail
            outcome.faults.append(Fault(some[0], config, kind, detail))
            continue
        pending += _divided(left, ran.started)
    return outcome


def _divided(kernels: list[Kernel], suspect: int | None) -> list[list[Kernel]]:
    """Return the parts to run next: the kernel that was running, and halves of the others."""
    # The first launch of an image compiles all its kernels, so that any of them can be at fault. If
    # the suspect passes by itself, the halves are divided further without it.
    suspects = [kernel for kernel in kernels if kernel.number == suspect]
    others = [kernel for kernel in kernels if kernel.number != suspect]
    middle = (len(others) + 1) // 2
    return [others[middle:], others[:middle], suspects]


def _wrong_results(
    kernels: Sequence[Kernel],
    actual: Mapping[int, str],
    expected: Mapping[int, Expected],
    config: BuildConfig,
) -> list[Fault]:
    return [
        Fault(kernel, config, "wrong result", _difference(kernel, wanted, actual[kernel.number]))
        for kernel in kernels
        if (wanted := expected[kernel.number].results) != actual[kernel.number]
    ]


def _difference(kernel: Kernel, expected: str, actual: str) -> str:
    """Return the first elements that differ, in hexadecimal."""
    lines: list[str] = []
    parts = zip(("out", "counters"), expected.split(), actual.split(), strict=True)
    for name, wanted, got in parts:
        width = kernel.output.bits // 4 if name == "out" else 8
        for place in range(0, len(wanted), width):
            if wanted[place : place + width] != got[place : place + width]:
                values = (
                    f"expected {_number(wanted, place, width)}, got {_number(got, place, width)}"
                )
                lines.append(f"{name}[{place // width}]: {values}")
    more = [f"and {len(lines) - 8} more"] if len(lines) > 8 else []
    return "\n".join(lines[:8] + more)


def _number(text: str, place: int, width: int) -> str:
    return "0x" + bytes.fromhex(text[place : place + width])[::-1].hex()


def run_kernels(
    kernels: Sequence[Kernel], expected: Mapping[int, Expected], config: BuildConfig
) -> Run:
    """Build and run some kernels in a child process."""
    with tempfile.TemporaryDirectory(prefix="differential-") as folder:
        place = Path(folder)
        limit = BASE_LIMIT_S + LIMIT_PER_KERNEL_S * len(kernels)
        if config.lambdas:
            return _run_program(kernels, config, place, limit)
        source = place / "kernels.cpp"
        source.write_text(device_source(kernels, clang_vectors=config.clang_vectors))
        job: Job = {
            "source": str(source),
            "optimization": _LEVELS[config.level],
            "optional_features": config.design,
            "launches": [launch_of(each, expected[each.number].input) for each in kernels],
        }
        (place / "job.json").write_text(json.dumps(job))
        command = [sys.executable, "-m", "differential.worker", str(place / "job.json")]
        return _read(*_execute(command, config, limit, place))


def _run_program(kernels: Sequence[Kernel], config: BuildConfig, place: Path, limit: float) -> Run:
    source, program = place / "kernels.cpp", place / "program"
    source.write_text(program_source(kernels, clang_vectors=config.clang_vectors))
    # Optimization applies to device code only: host code is not under test.
    words = [f"-O{config.level}", f"-fsycl-optional-features={config.design}", str(source)]
    command = [sys.executable, "-m", "dovetail", "c++", "-fsycl", *words, "-o", str(program)]
    status, output = _execute(command, config, limit, place)
    if status != 0:
        kind = "hang" if status is None else "build"
        return Run(kind=kind, detail=output.strip())
    return _read(*_execute([str(program)], config, limit, place))


def _execute(
    command: list[str], config: BuildConfig, limit: float, place: Path
) -> tuple[int | None, str]:
    """Return the status and output of a command; the status is None after a timeout."""
    environment = {**os.environ, CACHE.variable: "off"}
    if not config.vectorizer:
        environment["CL_CONFIG_CPU_VECTORIZER_MODE"] = "1"
    # To a file, which keeps the output before a crash or timeout.
    with (place / "output").open("w+b") as output:
        process = subprocess.Popen(
            command, stdout=output, stderr=subprocess.STDOUT, env=environment, process_group=0
        )
        limits = (MEMORY_LIMIT_BYTES, MEMORY_LIMIT_BYTES)
        resource.prlimit(process.pid, resource.RLIMIT_AS, limits)
        try:
            status: int | None = process.wait(limit)
        except subprocess.TimeoutExpired:
            status = None
        except BaseException:
            _kill(process)
            raise
        if status is None:
            _kill(process)
        output.seek(0)
        return status, output.read().decode(errors="replace")


def _kill(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _read(status: int | None, output: str) -> Run:
    """Parse the output of a worker or program."""
    run, other = Run(), list[str]()
    for line in output.splitlines():
        word, _, rest = line.partition(" ")
        if word == "start" and rest.isdecimal():
            run.started = int(rest)
        elif word == "done" and (found := re.fullmatch(r"(\d+) ([0-9a-f]+ [0-9a-f]+)", rest)):
            run.results[int(found[1])] = found[2]
            run.started = None
        elif word == "failed":
            run.kind, run.detail = "build", rest.replace("\\n", "\n")
            run.started = None
        elif word != "times":
            other.append(line)
    if status != 0 and not run.kind:
        run.kind = "hang" if status is None else "crash"
        ending = "ended by the time limit" if status is None else f"ended with status {status}"
        run.detail = "\n".join([ending, *other[-12:]])
    return run
