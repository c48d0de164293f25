"""What a benchmark gives back, and how two things are timed side by side."""

import os
import shutil
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
    """Both sides, in words."""
    at_most: float | None = None

    @property
    def reached(self) -> bool:
        """Whether the ratio keeps its limit."""
        return self.at_most is None or self.ratio <= self.at_most


def fastest(sides: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """The shortest time of each side in seconds, the sides taking turns.

    The shortest is what the work itself takes; whatever else the machine does only adds to it.
    """
    best = [float("inf")] * len(sides)
    for _ in range(rounds):
        for number, side in enumerate(sides):
            start = time.perf_counter()
            side()
            best[number] = min(best[number], time.perf_counter() - start)
    return best


def compare_processor_times(
    name: str, command: Sequence[str], base: Sequence[str], pairs: int, at_most: float
) -> Figure:
    """How much more processor time a command takes than another, the two taking turns.

    The lower quartiles are compared: half of what a busy machine adds is left out, and no single
    lucky run decides, so that a few hundredths can be told apart.
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
