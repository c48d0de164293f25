"""Figures, the results of benchmarks, and functions that measure two sides in turns."""

import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import quantiles


@dataclass(frozen=True)
class Figure:
    """One ratio."""

    name: str
    ratio: float
    measured: str
    """Both sides as text."""
    at_most: float | None = None
    at_least: float | None = None

    @property
    def limit(self) -> str | None:
        """The limit of the ratio as text."""
        if self.at_most is not None:
            return f"at most {self.at_most:g}"
        return None if self.at_least is None else f"at least {self.at_least:g}"

    @property
    def reached(self) -> bool:
        """Whether the ratio meets its limit."""
        return (self.at_most is None or self.ratio <= self.at_most) and (
            self.at_least is None or self.ratio >= self.at_least
        )


@dataclass(frozen=True)
class Usage:
    """The resource usage of a command and its child processes."""

    seconds: float
    """The processor time of all processes."""
    peak: int
    """The peak memory of the largest process, in bytes."""


def fastest(sides: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """Return the shortest time of each side in seconds; the sides run in turns.

    The shortest time is closest to that of the work itself; other load only adds to it.
    """
    best = [float("inf")] * len(sides)
    for _ in range(rounds):
        for number, side in enumerate(sides):
            start = time.perf_counter()
            side()
            best[number] = min(best[number], time.perf_counter() - start)
    return best


def used_time() -> float:
    """Return the processor time of this process and its ended children, in seconds."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


_WATCH = """\
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
"""


def usage_of(command: Sequence[str]) -> Usage:
    """Run a command and return its resource usage."""
    # Linux attributes the parent's memory to a new process, so a small process starts the command.
    watch = [sys.executable, "-c", _WATCH, *command]
    output = subprocess.run(watch, check=True, stdout=subprocess.PIPE).stdout
    seconds, kibibytes = output.split()
    return Usage(float(seconds), int(kibibytes) << 10)


def compare_processor_times(
    name: str, command: Sequence[str], base: Sequence[str], pairs: int, at_most: float
) -> Figure:
    """Return the ratio of the processor times of two commands, which run in turns.

    The lower quartiles are compared: they exclude most disturbances and do not depend on a single
    run, so that differences of a few percent can be measured.
    """
    times = [(_processor_time(command), _processor_time(base)) for _ in range(pairs)]
    ours, theirs = (quantiles(side, n=4)[0] for side in zip(*times, strict=True))
    measured = f"{1000 * ours:.1f} ms : {1000 * theirs:.1f} ms"
    return Figure(name, ours / theirs, measured, at_most)


def _processor_time(command: Sequence[str]) -> float:
    program = shutil.which(command[0])
    assert program, command[0]
    process = os.posix_spawn(program, list(command), os.environ)
    _, status, usage = os.wait4(process, 0)
    assert status == 0, command
    return usage.ru_utime + usage.ru_stime
