"""A progress line on standard error, on a terminal only."""

import os
import sys
import time
from collections.abc import Sequence
from threading import Lock
from types import TracebackType
from typing import Self

from dovetail.cli.output import write_control
from dovetail.cli.slow_tools import slow_tools_shown
from dovetail.driver import Job, JobListener, Spent
from dovetail.printable import visible

_COLUMNS = 80
"""The width of a terminal that does not report it."""

_DUMB = "dumb"
"""A terminal that cannot overwrite a line."""

_CARRIAGE_RETURN, _CLEAR_LINE = "\r", "\x1b[K"


class Progress:
    """A progress line; a context manager, which removes the line at the end."""

    def __init__(self) -> None:
        self._is_shown = sys.stderr.isatty() and os.environ.get("TERM") != _DUMB

    @property
    def is_shown(self) -> bool:
        return self._is_shown

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.show("")
        self._is_shown = False

    def show(self, text: str) -> None:
        """Replace the line."""
        if not self._is_shown:
            return
        # A wrapped line could not be overwritten.
        width = (os.get_terminal_size(sys.stderr.fileno()).columns or _COLUMNS) - 1
        write_control(_CARRIAGE_RETURN + visible(text)[:width] + _CLEAR_LINE)


class JobProgress(JobListener):
    """Shows the number of finished jobs, and the running ones."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._all = 0
        self._done = 0
        self._running: list[Job] = []
        self._lock = Lock()

    def planned(self, jobs: Sequence[Job]) -> None:
        self._all = len(jobs)

    def cached(self, job: Job) -> None:
        self._done += 1

    def started(self, job: Job) -> None:
        with self._lock:
            self._running.append(job)
            self._show()

    def finished(self, job: Job, made: object, spent: Spent) -> None:
        with self._lock:
            self._running.remove(job)
            self._done += 1
            self._show()

    def tick(self) -> None:
        """Update the times of slow tools."""
        with self._lock:
            self._show()

    def _show(self) -> None:
        names = ", ".join(job.step.label() for job in self._running)
        slow = slow_tools_shown(time.monotonic())
        # At the start, since the line may be truncated.
        tools = f"({slow}) " if slow else ""
        is_finished = self._done >= self._all
        self._progress.show("" if is_finished else f"[{self._done}/{self._all}] {tools}{names}")
