"""A progress line on standard error, on a terminal only."""

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Self

from dovetail.driver import Job

if TYPE_CHECKING:
    from rich.status import Status


class Progress:
    """Shows what is being done; used as a context manager."""

    def __init__(self) -> None:
        self._status: Status | None = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            # Imported here, since most builds run without a terminal and need not pay for it.
            from rich.console import Console

            self._status = Console(stderr=True).status("starting")
            self._status.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._status:
            self._status.stop()

    def show_job(self, job: Job) -> None:
        """Say which job is starting."""
        source = job.action.source
        self.show(f"{job.action.phase} {source.path if source else ''}")

    def show(self, text: str) -> None:
        """Say what is being done."""
        if self._status:
            self._status.update(text)
