"""What a benchmark gives back, and how two things are timed side by side."""

import os
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


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


def least_processor_time(commands: Sequence[Sequence[str]], rounds: int) -> list[float]:
    """The least processor time that each command takes in seconds, the commands taking turns.

    Other processes hardly change it, so it is for what must be told apart by a few hundredths.
    """
    best = [float("inf")] * len(commands)
    for _ in range(rounds):
        for number, command in enumerate(commands):
            best[number] = min(best[number], _processor_time(command))
    return best


def _processor_time(command: Sequence[str]) -> float:
    program = shutil.which(command[0])
    assert program, command[0]
    process = os.posix_spawn(program, list(command), os.environ)
    _, status, usage = os.wait4(process, 0)
    assert status == 0, command
    return usage.ru_utime + usage.ru_stime
