"""Build kernels, run them, and tell for each whether its results are right.

Hundreds of kernels share a source. If the build of a source fails, or its process crashes or hangs,
the kernels are divided until the faulty ones are alone, and all others are still compared.
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

from differential.model import Kernel
from differential.reference import Expected
from differential.sources import device_source, program_source
from differential.worker import Job, launch_of
from dovetail.settings import CACHE

BASE_LIMIT_S = 120.0
LIMIT_FOR_EACH_S = 3.0
"""A process that takes longer than the base, and this for each kernel, hangs."""
MEMORY_LIMIT = 6 << 30
"""Bytes of address space for a process. Drivers may take all memory of a machine over a kernel."""


@dataclass(frozen=True)
class Way:
    """How kernels are built and run."""

    level: int
    design: str = "split"
    """What `-fsycl-optional-features` says: "split" or "conditional"."""
    clang_vectors: bool = False
    lambdas: bool = False
    """Kernels are lambda expressions in a program, and not free functions that Python launches."""
    vectorizer: bool = True
    """Whether the driver of the CPU device vectorises; most of its time goes there."""

    def __str__(self) -> str:
        vectors = "clang's vectors" if self.clang_vectors else "sycl::vec"
        form = "lambda expressions" if self.lambdas else "free functions"
        vectorizer = "on" if self.vectorizer else "off"
        return f"-O{self.level}, {self.design}, {vectors}, {form}, vectoriser {vectorizer}"


@dataclass(frozen=True)
class Fault:
    """What is wrong with one kernel."""

    kernel: Kernel
    way: Way
    kind: str
    """"wrong result", "build", "crash" or "hang"."""
    detail: str
    """A message, or expected and actual values."""


@dataclass
class Run:
    """What one process did."""

    results: dict[int, str] = field(default_factory=dict[int, str])
    started: int | None = None
    """The kernel that was started last and did not end."""
    kind: str = ""
    """Why the process did not come to its end; empty if it did."""
    detail: str = ""


@dataclass
class Outcome:
    """What came of checking some kernels."""

    faults: list[Fault] = field(default_factory=list[Fault])
    checked: int = 0
    processes: int = 0


Runner = Callable[[Sequence[Kernel]], Run]


def check(
    kernels: Sequence[Kernel], expected: Mapping[int, Expected], way: Way, run: Runner | None = None
) -> Outcome:
    """Run all kernels in one way and compare; `run` takes the place of real processes in tests."""
    outcome = Outcome()
    run = run or (lambda some: run_kernels(some, expected, way))
    pending = [list(kernels)]
    while pending:
        some = pending.pop()
        if not some:
            continue
        ran = run(some)
        outcome.processes += 1
        done = [kernel for kernel in some if kernel.number in ran.results]
        outcome.checked += len(done)
        outcome.faults += _wrong_results(done, ran.results, expected, way)
        left = [kernel for kernel in some if kernel.number not in ran.results]
        if not left:
            continue
        if len(some) == 1:
            outcome.checked += 1
            kind, detail = ran.kind or "crash", ran.detail
            outcome.faults.append(Fault(some[0], way, kind, detail))
            continue
        pending += _divided(left, ran.started)
    return outcome


def _divided(kernels: list[Kernel], suspect: int | None) -> list[list[Kernel]]:
    """Parts to try again: a kernel that was running by itself, otherwise halves."""
    # In the first launch of an image the driver compiles, and any kernel can be the reason; the
    # suspect is cleared then, and the others come back here without it.
    alone = [kernel for kernel in kernels if kernel.number == suspect]
    others = [kernel for kernel in kernels if kernel.number != suspect]
    middle = (len(others) + 1) // 2
    return [others[middle:], others[:middle], alone]


def _wrong_results(
    kernels: Sequence[Kernel], actual: Mapping[int, str], expected: Mapping[int, Expected], way: Way
) -> list[Fault]:
    return [
        Fault(kernel, way, "wrong result", _difference(kernel, wanted, actual[kernel.number]))
        for kernel in kernels
        if (wanted := expected[kernel.number].results) != actual[kernel.number]
    ]


def _difference(kernel: Kernel, expected: str, actual: str) -> str:
    """The first elements that differ, in hexadecimal."""
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


def run_kernels(kernels: Sequence[Kernel], expected: Mapping[int, Expected], way: Way) -> Run:
    """Build some kernels and run them, in a process of their own."""
    with tempfile.TemporaryDirectory(prefix="differential-") as folder:
        place = Path(folder)
        limit = BASE_LIMIT_S + LIMIT_FOR_EACH_S * len(kernels)
        if way.lambdas:
            return _run_program(kernels, way, place, limit)
        source = place / "kernels.cpp"
        source.write_text(device_source(kernels, clang_vectors=way.clang_vectors))
        job: Job = {
            "source": str(source),
            "optimization": way.level,
            "optional_features": way.design,
            "launches": [launch_of(each, expected[each.number].input) for each in kernels],
        }
        (place / "job.json").write_text(json.dumps(job))
        command = [sys.executable, "-m", "differential.worker", str(place / "job.json")]
        return _read(*_execute(command, way, limit, place))


def _run_program(kernels: Sequence[Kernel], way: Way, place: Path, limit: float) -> Run:
    source, program = place / "kernels.cpp", place / "program"
    source.write_text(program_source(kernels, clang_vectors=way.clang_vectors))
    # The host's side is not what is tested; without optimisation it is compiled faster.
    words = [f"-O{way.level}", f"-fsycl-optional-features={way.design}", str(source)]
    command = [sys.executable, "-m", "dovetail", "c++", "-fsycl", *words, "-o", str(program)]
    status, said = _execute(command, way, limit, place)
    if status != 0:
        kind = "hang" if status is None else "build"
        return Run(kind=kind, detail=said.strip())
    return _read(*_execute([str(program)], way, limit, place))


def _execute(command: list[str], way: Way, limit: float, place: Path) -> tuple[int | None, str]:
    """Return status and output of a command; the status is None if it took too long."""
    environment = {**os.environ, CACHE.variable: "off"}
    if not way.vectorizer:
        environment["CL_CONFIG_CPU_VECTORIZER_MODE"] = "1"
    # To a file: what was written before a crash or a time limit counts.
    with (place / "output").open("w+b") as output:
        process = subprocess.Popen(
            command, stdout=output, stderr=subprocess.STDOUT, env=environment, process_group=0
        )
        resource.prlimit(process.pid, resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
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
    """Return what a process did by what it wrote."""
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
        ended = "the time limit" if status is None else f"status {status}"
        run.detail = "\n".join([f"ended by {ended}", *other[-12:]])
    return run
