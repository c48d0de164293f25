"""Work that the host does for a queue, in threads of the runtime's."""

from collections.abc import Callable
from threading import get_ident
from time import monotonic_ns
from typing import Protocol

from dovetail.errors import DovetailError
from dovetail.runtime.backend import Times
from dovetail.runtime.host.errc import Errc, HostError
from dovetail.runtime.host.latch import Latch
from dovetail.runtime.host.queue import HostQueue, QueueWork


class HostFunction(Protocol):
    """Something that the host does."""

    def run(self, addresses: list[int], /) -> DovetailError | None:
        """Do it, with the content of buffers at these addresses; what it failed with, if it did."""
        ...

    def let_go(self) -> None:
        """Drop what it has, when nobody waits for it any more; that may itself wait."""
        ...


class HostWork(QueueWork):
    """Under way from the moment it is made until its function has returned."""

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
        # Who waits in it for its own queue does not wait for itself.
        if not self.runs_here:
            self.latch.settle()

    @property
    def runs_here(self) -> bool:
        """Whether the calling thread is the one that does it."""
        return self._thread == get_ident()

    def run(self, act: Callable[[], DovetailError | None]) -> None:
        """Do it; what `act` returns or raises is what it failed with."""
        self._thread, self._started = get_ident(), monotonic_ns()
        try:
            failure = act()
        except DovetailError as error:
            failure = error
        except BaseException as error:
            failure = HostError(Errc.RUNTIME, f"the runtime failed at work of the host: {error!r}")
        self.end(failure)

    def end(self, failure: DovetailError | None = None) -> None:
        """Let go on what waits for it."""
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
        return Times(self._submitted, self._started, self._ended)
