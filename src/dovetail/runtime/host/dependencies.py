"""What work waits for: device work and latches; and calling a function once all of it is done."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from dovetail.runtime.host.host_work import HostWork
from dovetail.runtime.host.latch import Latch
from dovetail.runtime.host.queue import QueueWork
from dovetail.runtime.threads import run_in_thread

Dependency: TypeAlias = QueueWork | Latch


def latch_of(dependency: Dependency) -> Latch | None:
    """Return the latch of a dependency; None for work of a device."""
    if isinstance(dependency, HostWork):
        return dependency.latch
    return dependency if isinstance(dependency, Latch) else None


def unfinished(dependencies: Iterable[Dependency]) -> list[Dependency]:
    """Return the dependencies that are not done, without duplicates."""
    return [dependency for dependency in dict.fromkeys(dependencies) if not dependency.done]


def unfinished_elsewhere(dependencies: Iterable[Dependency]) -> list[Dependency]:
    """Return the dependencies that are not done, except host work that the calling thread runs."""
    return [
        dependency
        for dependency in unfinished(dependencies)
        if not (isinstance(dependency, HostWork) and dependency.runs_here)
    ]


def run_after(dependencies: Iterable[Dependency], act: Callable[[], None]) -> None:
    """Call `act` in a worker thread after all dependencies are done.

    Return at once. No thread waits for latches; the worker thread waits for work of devices.
    """
    waiting = unfinished(dependencies)
    latches = iter([latch for latch in map(latch_of, waiting) if latch is not None])
    device_work = [dependency for dependency in waiting if latch_of(dependency) is None]

    def wait_and_act() -> None:
        for work in device_work:
            work.settle()
        act()

    def await_next_latch() -> None:
        for latch in latches:
            if not latch.done:
                latch.then(await_next_latch)
                return
        run_in_thread(wait_and_act)

    await_next_latch()
