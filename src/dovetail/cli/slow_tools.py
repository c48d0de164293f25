"""Notices about compilers and linkers that have been running for long."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from threading import Event, Thread
from types import TracebackType
from typing import Self

from dovetail.processes.running import RunningTool, tools_running

FIRST_NOTICE_S = 30.0
"""Later ones come each time that a tool has run twice as long as at the last."""

SHOWN_AFTER_S = 3.0
"""When a progress line begins to show for how long a tool has been running."""

_INTERVAL_S = 1.0


class SlowTools:
    """Calls `tick` every second while builds run; used as a context manager."""

    def __init__(self, tick: Callable[[], None]) -> None:
        self._tick = tick
        self._is_over = Event()
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
        self._is_over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._is_over.wait(_INTERVAL_S):
            self._tick()


class Notices:
    """Lines on standard error, where there is no progress line."""

    def __init__(self) -> None:
        self._next: dict[int, float] = {}
        """For each tool, by its number, after how many seconds it is to be mentioned next."""

    def tick(self) -> None:
        """Print what is due."""
        for line in self.due(tools_running(), time.monotonic()):
            # In one piece, as others may print as well.
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()

    def due(self, tools: Sequence[RunningTool], now: float) -> Iterator[str]:
        """Return notices about tools that have been running for long enough."""
        for tool in tools:
            seconds = now - tool.started
            if seconds >= self._next.get(tool.number, FIRST_NOTICE_S):
                self._next[tool.number] = 2 * seconds
                yield _notice(tool, seconds)


def _notice(tool: RunningTool, seconds: float) -> str:
    purpose = f" ({tool.purpose})" if tool.purpose else ""
    limit = "" if tool.limit is None else f"; it is ended after {tool.limit:g} s"
    return f"dovetail: {tool.name}{purpose} has been running for {seconds:.0f} s{limit}"


def slow_tools_shown(now: float) -> str:
    """Return the tools that have been running for a while, for a progress line; may be empty."""
    slow = (tool for tool in tools_running() if now - tool.started >= SHOWN_AFTER_S)
    return ", ".join(f"{tool.name} {now - tool.started:.0f} s" for tool in slow)
