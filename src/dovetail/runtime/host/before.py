"""What work can be put behind, and what the host does behind it."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from dovetail.runtime.host.host_work import HostWork
from dovetail.runtime.host.latch import Latch
from dovetail.runtime.host.queue import QueueWork
from dovetail.runtime.threads import run_in_thread

Dependency: TypeAlias = QueueWork | Latch


def latch_of(before: Dependency) -> Latch | None:
    """The latch that stands for it; None if it is a driver's."""
    if isinstance(before, HostWork):
        return before.latch
    return before if isinstance(before, Latch) else None


def unfinished(dependencies: Iterable[Dependency]) -> list[Dependency]:
    """What is not over yet, each once."""
    return [before for before in dict.fromkeys(dependencies) if not before.done]


def unfinished_elsewhere(dependencies: Iterable[Dependency]) -> list[Dependency]:
    """What is not over yet, but for what the calling thread is doing itself."""
    return [
        before
        for before in unfinished(dependencies)
        if not (isinstance(before, HostWork) and before.runs_here)
    ]


def run_after(dependencies: Iterable[Dependency], act: Callable[[], None]) -> None:
    """Have `act` called in a thread of the runtime's when all of these are over.

    While latches are shut no thread waits for them; for a driver's work one has to.
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
