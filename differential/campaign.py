"""A campaign: checks sources of random kernels in several configurations, within a budget."""

from __future__ import annotations

import re
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from pathlib import Path

from differential.checking import BuildConfig, Fault, check
from differential.generation import random_kernels
from differential.model import Kernel
from differential.reference import expected_results
from differential.reports import save
from differential.shrinking import shrink

LAMBDAS_EVERY = 8
"""One in this many sources is a program with lambda expressions, which also has host code."""
VECTORIZED_EVERY = 4
"""One in this many checks has the CPU driver's vectorizer on, which takes most of its time."""


@dataclass(frozen=True)
class Plan:
    """The parameters of a campaign; 0 means no limit."""

    seed: int
    count: int
    seconds: float
    levels: tuple[int, ...]
    jobs: int
    for_each_source: int
    without: frozenset[str]
    folder: Path
    """The folder for faulty kernels."""
    shrink_seconds: float
    max_faults: int


@dataclass
class Tally:
    """The results so far."""

    kernels: int = 0
    checks: int = 0
    """The number of kernels times levels."""
    faults: list[tuple[Fault, Path]] = field(default_factory=list[tuple[Fault, Path]])
    signatures: Counter[str] = field(default_factory=Counter[str])


def build_configs(source: int, levels: Sequence[int]) -> Iterator[BuildConfig]:
    """Yield the configurations of a source: one for each level; the other settings alternate."""
    for level in levels:
        yield BuildConfig(
            level,
            design=("split", "conditional")[source % 2],
            clang_vectors=source // 2 % 2 == 1,
            lambdas=source % LAMBDAS_EVERY == LAMBDAS_EVERY - 1,
            vectorizer=(source + level) % VECTORIZED_EVERY == 0,
        )


def run_campaign(plan: Plan, tell: Callable[[str], None]) -> Tally:
    """Check kernels up to the plan's count, time or number of faults."""
    return _Campaign(plan, tell).run()


class _Campaign:
    def __init__(self, plan: Plan, tell: Callable[[str], None]) -> None:
        self._plan = plan
        self._tell = tell
        self._tally = Tally()
        self._lock = threading.Lock()
        self._started = time.monotonic()
        self._stopped = False

    def run(self) -> Tally:
        with ThreadPoolExecutor(self._plan.jobs) as pool:
            pending: set[Future[None]] = set()
            try:
                for index, numbers in enumerate(self._sources()):
                    if len(pending) >= self._plan.jobs:
                        pending = self._collect(pending)
                    if self._is_over():
                        break
                    pending.add(pool.submit(self._source, index, numbers))
                while pending:
                    pending = self._collect(pending)
            finally:
                self._stopped = True
        return self._tally

    def _collect(self, pending: set[Future[None]]) -> set[Future[None]]:
        done, left = wait(pending, return_when=FIRST_COMPLETED)
        for future in done:
            future.result()
        return left

    def _sources(self) -> Iterator[range]:
        step, start = self._plan.for_each_source, 0
        while not self._plan.count or start < self._plan.count:
            end = start + step
            yield range(start, min(end, self._plan.count) if self._plan.count else end)
            start = end

    def _is_over(self) -> bool:
        spent = time.monotonic() - self._started
        late = bool(self._plan.seconds) and spent >= self._plan.seconds
        many = bool(self._plan.max_faults) and len(self._tally.faults) >= self._plan.max_faults
        return self._stopped or late or many

    def _source(self, index: int, numbers: range) -> None:
        """Check the kernels of one source at all levels."""
        started = time.monotonic()
        kernels = random_kernels(self._plan.seed, numbers, self._plan.without)
        with tempfile.TemporaryDirectory(prefix="differential-") as folder:
            expected = expected_results(kernels, Path(folder))
        left, faults = list(kernels), 0
        for config in build_configs(index, self._plan.levels):
            if self._is_over():
                break
            outcome = check(left, expected, config)
            with self._lock:
                self._tally.checks += outcome.checked
            for fault in outcome.faults:
                self._report(fault)
            faults += len(outcome.faults)
            # Faults at one level mostly recur at others, and bisecting a source takes time.
            faulty = {fault.kernel.number for fault in outcome.faults}
            left = [kernel for kernel in left if kernel.number not in faulty]
        with self._lock:
            self._tally.kernels += len(kernels)
        self._tell_progress(index, len(kernels), faults, time.monotonic() - started)

    def _tell_progress(self, index: int, count: int, faults: int, seconds: float) -> None:
        total = f" of {self._plan.count}" if self._plan.count else ""
        spent = time.monotonic() - self._started
        self._tell(
            f"source {index}: {count} kernels in {seconds:.0f} s, {faults} faults; "
            f"{self._tally.kernels}{total} kernels in {spent:.0f} s"
        )

    def _report(self, fault: Fault) -> None:
        """Save a fault; the first of each signature is shrunk."""
        name = signature(fault)
        with self._lock:
            self._tally.signatures[name] += 1
            first = self._tally.signatures[name] == 1 or not name.startswith("build")
        small = shrunk(fault, self._plan.shrink_seconds) if first and not self._is_over() else fault
        path = save(small, self._plan.folder, self._plan.seed, fault.kernel)
        with self._lock:
            self._tally.faults.append((small, path))
        self._tell(
            f"FAULT: kernel {fault.kernel.number}, {fault.config}: {fault.kind}\n{small.detail}"
        )
        self._tell(f"saved in {path}")


def signature(fault: Fault) -> str:
    """Return a text that is the same for reports of the same fault, as far as can be determined."""
    if fault.kind != "build":
        return fault.kind
    lines = [line for line in fault.detail.splitlines() if _names_reason(line)]
    text = " ".join(lines[:2]) or fault.detail[:200]
    text = re.sub(r"%\w+|'[^']*'|\b(kernel|n)_?\d+\S*", "_", text)
    return "build: " + re.sub(r"\d+", "#", text)


def _names_reason(line: str) -> bool:
    return bool(re.search(r"error:|LLVM gave up|LLVM ERROR|failed|Invalid", line))


def shrunk(fault: Fault, seconds: float) -> Fault:
    """Return the fault with the smallest kernel found."""
    if not seconds:
        return fault
    # If a source with several candidates fails to build, bisection has to find the culprits.
    batch = 16 if fault.kind == "wrong result" else 1
    found: dict[Kernel, Fault] = {}

    def has_fault(candidates: Sequence[Kernel]) -> list[bool]:
        same = _faults_of(candidates, fault)
        found.update(same)
        return [kernel in same for kernel in candidates]

    small = shrink(fault.kernel, has_fault, seconds, batch)
    return found.get(small, fault)


def _faults_of(candidates: Sequence[Kernel], like: Fault) -> dict[Kernel, Fault]:
    """Return the candidates that have the same fault."""
    numbered = [replace(kernel, number=index) for index, kernel in enumerate(candidates)]
    with tempfile.TemporaryDirectory(prefix="differential-") as folder:
        expected = expected_results(numbered, Path(folder))
    faults = check(numbered, expected, like.config).faults
    return {
        candidates[each.kernel.number]: replace(each, kernel=candidates[each.kernel.number])
        for each in faults
        if signature(each) == signature(like)
    }
