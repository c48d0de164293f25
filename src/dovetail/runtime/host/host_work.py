"""Work that the host does for a queue, in worker threads."""

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
        return Times(self._submitted, self._started, self._ended)
