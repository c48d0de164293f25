"""Sides that need a process of their own, kept alive so that they can take turns with others."""

import subprocess
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager

Side = Callable[[], float]
"""Does a round and gives the seconds that it took."""

_PAUSE = 0.02
"""Seconds. A driver's threads look for more work for a while; they are not to take the next side's
processors."""


class KeptProcess:
    """A process that does the round named on each line it reads and answers with its seconds."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def side(self, name: str) -> Side:
        """The rounds of that name."""
        return lambda: self._round(name)

    def _round(self, name: str) -> float:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{name}\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, f"it ended in round '{name}'; what it said is above"
        return float(answer)


@contextmanager
def kept_process(
    command: Sequence[str], environment: Mapping[str, str] | None = None
) -> Generator[KeptProcess]:
    """Start a process and, in the end, close its input, upon which it has to end."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True) as process:
        yield KeptProcess(process)


def timed(action: Callable[[], object]) -> Side:
    """Something of this process as a side."""

    def side() -> float:
        start = time.perf_counter()
        action()
        return time.perf_counter() - start

    return side


def in_turns(sides: Sequence[Side], rounds: int) -> list[list[float]]:
    """What the rounds of each side took; each round of all starts with another side."""
    taken: list[list[float]] = [[] for _ in sides]
    for number in range(rounds):
        for place in range(len(sides)):
            which = (number + place) % len(sides)
            time.sleep(_PAUSE)
            taken[which].append(sides[which]())
    return taken
