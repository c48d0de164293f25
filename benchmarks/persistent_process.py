"""Sides in separate processes, which stay alive so that sides can run in turns."""

import subprocess
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager

Side = Callable[[], float]
"""Runs a round and returns its time in seconds."""

_PAUSE_S = 0.02
"""The pause before each round, in which polling threads of a driver go to sleep."""


class PersistentProcess:
    """A process that reads names of rounds, runs them, and prints their times in seconds."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def side(self, name: str) -> Side:
        """Return the side of the rounds with a name."""
        return lambda: self._round(name)

    def _round(self, name: str) -> float:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{name}\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, f"the process ended in round '{name}'; see its output above"
        return float(answer)


@contextmanager
def persistent_process(
    command: Sequence[str], environment: Mapping[str, str] | None = None
) -> Generator[PersistentProcess]:
    """Start a process; at the end, close its input, on which it must exit."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True) as process:
        yield PersistentProcess(process)


def timed(action: Callable[[], object]) -> Side:
    """Return a side that runs a function in this process."""

    def side() -> float:
        start = time.perf_counter()
        action()
        return time.perf_counter() - start

    return side


def in_turns(sides: Sequence[Side], rounds: int) -> list[list[float]]:
    """Return the times of each side's rounds; the side that starts rotates."""
    times: list[list[float]] = [[] for _ in sides]
    for number in range(rounds):
        for position in range(len(sides)):
            side = (number + position) % len(sides)
            time.sleep(_PAUSE_S)
            times[side].append(sides[side]())
    return times
