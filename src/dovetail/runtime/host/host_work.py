"""Work that the host does for a queue in worker threads, such as host tasks."""

from collections.abc import Callable
from ctypes import CFUNCTYPE, c_int32, c_void_p
from threading import get_ident
from time import monotonic_ns
from typing import Protocol

from dovetail.errors import DovetailError
from dovetail.runtime.backend import Times
from dovetail.runtime.host.errc import Errc, HostError
from dovetail.runtime.host.latch import Latch
from dovetail.runtime.host.queue import HostQueue, QueueWork

_RUN = CFUNCTYPE(c_int32, c_void_p, c_void_p)
_END = CFUNCTYPE(None, c_void_p)


class HostFunction(Protocol):
    """A function of the host that uses buffers."""

    def run(self, addresses: list[int], /) -> DovetailError | None:
        """Run it with the content of buffers at these addresses; return its error, or None."""
        ...

    def release(self) -> None:
        """Release its resources, after its work is done; may block."""
        ...


class HostWork(QueueWork):
    """Work of the host: in flight from its creation until its function has returned."""

    __slots__ = ("_ended", "_started", "_submitted", "_thread", "latch")

    waits_for_host = True

    def __init__(self, queue: HostQueue, kept: object) -> None:
        self.owner = queue
        self.latch = Latch()
        self._submitted = self._started = self._ended = monotonic_ns()
        self._thread = 0
        queue.pending.in_order = False
        queue.pending.add(self, kept)
        self.natives = (self.latch,)
        queue.held[self] = None

    @property
    def done(self) -> bool:
        return self.latch.done

    def settle(self) -> None:
        # A host task that waits for its own queue does not wait for itself.
        if not self.runs_here:
            self.latch.settle()

    @property
    def runs_here(self) -> bool:
        """Whether the calling thread runs it."""
        return self._thread == get_ident()

    def run(self, act: Callable[[], DovetailError | None]) -> None:
        """Call `act`, which returns or raises an error, and end the work."""
        self._thread, self._started = get_ident(), monotonic_ns()
        try:
            failure = act()
        except DovetailError as error:
            failure = error
        except BaseException as error:
            failure = HostError(
                Errc.RUNTIME, f"internal error of the runtime in host work: {error!r}"
            )
        self.end(failure)

    def end(self, failure: DovetailError | None = None) -> None:
        """Mark it as done, and open its latch."""
        if self.done:
            return
        self._ended, self._thread = monotonic_ns(), 0
        if failure is not None:
            self.fail(failure)
        self.natives, self.kept = (), None
        self.pending.events.pop(self, None)
        self.owner.held.pop(self, None)
        self.latch.open()

    def _measured_times(self) -> Times:
        return Times(self._submitted, self._submitted, self._started, self._ended)


class HostTaskFailure(DovetailError):
    """A host task threw an exception, which the headers store."""


class HostTask:
    """A host task: a function of host code, by the addresses of its parts."""

    def __init__(self, run: int, end: int, task: int | None) -> None:
        self._run, self._end, self._task = _RUN(run), _END(end), task

    def run(self, addresses: list[int]) -> HostTaskFailure | None:
        array = (c_void_p * len(addresses))(*addresses)
        failed = self._run(self._task, array)
        return HostTaskFailure("a host task threw an exception") if failed else None

    def release(self) -> None:
        self._end(self._task)


class HostTasks:
    """All host tasks that may not have finished."""

    def __init__(self) -> None:
        self._works: dict[HostWork, None] = {}
        self._sweep_at = 16

    def add(self, work: HostWork) -> None:
        """Add a host task."""
        self._works[work] = None
        if len(self._works) > self._sweep_at:
            self._forget_finished()
            self._sweep_at = 16 + 2 * len(self._works)

    @property
    def are_unfinished(self) -> bool:
        """Whether there is a host task that has not finished."""
        self._forget_finished()
        return bool(self._works)

    def end_own(self) -> None:
        """Mark the calling thread's host task as finished, since it ends the process."""
        for work in tuple(self._works):
            if work.runs_here:
                work.end()

    def _forget_finished(self) -> None:
        for work in tuple(self._works):
            if work.done:
                self._works.pop(work, None)
