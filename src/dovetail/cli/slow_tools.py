"""Notices about compilers and linkers that have been running for a long time."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from threading import Event, Thread
from types import TracebackType
from typing import Self

from dovetail.processes.running_tools import RunningTool, tools_running

FIRST_NOTICE_S = 30.0
"""Further notices follow each time the tool's running time has doubled."""

SHOWN_AFTER_S = 3.0
"""The running time from which a progress line shows it."""

_INTERVAL_S = 1.0


class SlowTools:
    """A context manager that calls `tick` every second, in a thread."""

    def __init__(self, tick: Callable[[], None]) -> None:
        self._tick = tick
        self._stopped = Event()
        self._thread = Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(_INTERVAL_S):
            self._tick()


class Notices:
    """Notices on standard error, for use without a progress line."""

    def __init__(self) -> None:
        self._next: dict[int, float] = {}
        """The running time of the next notice in seconds, by the number of the tool."""

    def tick(self) -> None:
        """Print the notices that are due."""
        for line in self.due(tools_running(), time.monotonic()):
            # A single write, as other threads may print as well.
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()

    def due(self, tools: Sequence[RunningTool], now: float) -> Iterator[str]:
        """Yield the notices that are due at a time."""
        for tool in tools:
            seconds = now - tool.started
            if seconds >= self._next.get(tool.number, FIRST_NOTICE_S):
                self._next[tool.number] = 2 * seconds
                yield _notice(tool, seconds)


def _notice(tool: RunningTool, seconds: float) -> str:
    purpose = f" ({tool.purpose})" if tool.purpose else ""
    limit = "" if tool.limit is None else f" (time limit: {tool.limit:g} s)"
    return f"dovetail: {tool.name}{purpose} has been running for {seconds:.0f} s{limit}"


def slow_tools_shown(now: float) -> str:
    """Return the slow tools with their running times, for a progress line; may be empty."""
    slow = (tool for tool in tools_running() if now - tool.started >= SHOWN_AFTER_S)
    return ", ".join(f"{tool.name} {now - tool.started:.0f} s" for tool in slow)
