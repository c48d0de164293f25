"""Commands that wait for the host, in the order of their queues.

A stream could wait for the host on the device. But many functions of NVIDIA's driver wait for all
streams: those that load code, free memory, or copy to pageable memory. If the host called one
before it let the stream go on, it would wait forever. So the driver gets a command only when all
that it waits for has been passed to the driver too.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Condition, RLock
from typing import Protocol

from dovetail.runtime.cuda.events import CudaEvent, CudaGate

Before = CudaEvent | CudaGate
"""What a command waits for."""

_CHECK_S = 0.1


@dataclass(frozen=True)
class Command:
    """A command, with what it waits for."""

    start: Callable[[], None]
    """Passes it to the driver."""
    event: CudaEvent
    after: tuple[Before, ...]

    @property
    def is_ready(self) -> bool:
        """Whether none of its dependencies waits for the host."""
        return all(
            before.is_open if isinstance(before, CudaGate) else before.is_submitted
            for before in self.after
        )


class DeferringQueue(Protocol):
    """A queue with commands that wait for the host."""

    def start_ready(self) -> bool:
        """Start commands up to the first that has to wait; return whether any was started."""
        ...

    @property
    def has_deferred(self) -> bool:
        """Whether commands wait for the host."""
        ...


class Deferrals:
    """The queues of a device with commands that wait for the host."""

    def __init__(self) -> None:
        # Reentrant: a signal handler may use a queue while its thread does.
        self.lock = RLock()
        self._changed = Condition(self.lock)
        self._queues: dict[DeferringQueue, None] = {}

    def add(self, queue: DeferringQueue) -> None:
        """Note that a queue has commands that wait; it lives until they are started."""
        self._queues[queue] = None

    def advance(self) -> None:
        """Start all commands that no longer have to wait."""
        with self.lock:
            # A started command may be what those of other queues wait for.
            while any(queue.start_ready() for queue in tuple(self._queues)):
                pass
            self._queues = {queue: None for queue in self._queues if queue.has_deferred}
            self._changed.notify_all()

    def wait_for(self, event: CudaEvent) -> None:
        """Wait until the driver has a command; an interrupt ends the wait."""
        with self._changed:
            while not event.is_submitted:
                # Python handles signals between waits.
                self._changed.wait(_CHECK_S)


def merged(after: Sequence[Before]) -> tuple[Before, ...]:
    """Return the dependencies of a command that are not over yet."""
    return tuple(
        before
        for before in after
        if not (before.is_open if isinstance(before, CudaGate) else before.is_over)
    )
