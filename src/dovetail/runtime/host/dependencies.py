"""Dependencies of work, and what the host does after them."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from dovetail.runtime.host.host_work import HostWork
from dovetail.runtime.host.latch import Latch
from dovetail.runtime.host.queue import QueueWork
from dovetail.runtime.threads import run_in_thread

Dependency: TypeAlias = QueueWork | Latch


def latch_of(before: Dependency) -> Latch | None:
    """Return the latch of a dependency; None for work of a driver."""
    if isinstance(before, HostWork):
        return before.latch
    return before if isinstance(before, Latch) else None


def unfinished(dependencies: Iterable[Dependency]) -> list[Dependency]:
    """Return the dependencies that are not done, without duplicates."""
    return [before for before in dict.fromkeys(dependencies) if not before.done]


def unfinished_elsewhere(dependencies: Iterable[Dependency]) -> list[Dependency]:
    """Return the dependencies that are not done, except host work that the calling thread runs."""
    return [
        before
        for before in unfinished(dependencies)
        if not (isinstance(before, HostWork) and before.runs_here)
    ]


def run_after(dependencies: Iterable[Dependency], act: Callable[[], None]) -> None:
    """Call `act` in a worker thread after all dependencies are done.

    No thread waits for latches; one waits for a driver's work.
    """
    waiting = unfinished(dependencies)
    latches = iter([latch for latch in map(latch_of, waiting) if latch is not None])
    works = [before for before in waiting if latch_of(before) is None]

    def finish() -> None:
        for work in works:
            work.settle()
        act()

    def go_on() -> None:
        for latch in latches:
            if not latch.done:
                latch.then(go_on)
                return
        run_in_thread(finish)

    go_on()
