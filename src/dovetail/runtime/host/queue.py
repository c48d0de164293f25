"""Queues of host code, and the work that is given to them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from dovetail.errors import DovetailError
from dovetail.runtime.backend import BackendAllocation, BackendQueue, NativeEvent, Times
from dovetail.runtime.device import Device
from dovetail.runtime.event import Event
from dovetail.runtime.host.errc import Errc, HostError
from dovetail.runtime.host.structures import QueueFlag


class Command(Protocol):
    """Something a queue can do."""

    def start(
        self,
        queue: BackendQueue,
        memory: Mapping[int, BackendAllocation],
        after: Sequence[NativeEvent],
    ) -> tuple[NativeEvent, ...]:
        """Start it after the given events; `memory` is that of each buffer, by handle.

        The events that come back are of one queue, in its order.
        """
        ...


class Queue:
    """An in-order queue, whatever was asked for: that order is right for any other too."""

    def __init__(self, device: Device, flags: int) -> None:
        self.device = device
        self.profiling = bool(flags & QueueFlag.PROFILING)
        if self.profiling and not device.has("queue_profiling"):
            raise HostError(
                Errc.FEATURE_NOT_SUPPORTED, f"'{device.name}' cannot measure the times of its work"
            )
        self._native = device.native.open_queue(profiling=self.profiling)
        self.pending = device.work.new_pending()

    def start(
        self,
        command: Command,
        memory: Mapping[int, BackendAllocation],
        after: Sequence[NativeEvent] = (),
    ) -> "Work":
        """Start a command; what it uses stays alive until it is done."""
        event = self.pending.new_event(self._native, (command, memory))
        try:
            event.natives = natives = command.start(self._native, memory, after)
        except DovetailError:
            event.abandon()
            raise
        except BaseException:
            # An interrupt: the driver may have taken the work already, so what it uses must stay.
            self._native.finish()
            event.abandon()
            raise
        # Nobody may ever wait for it, and work of other queues may.
        self._native.flush()
        return Work(self, event, natives if self.profiling else ())


@dataclass(frozen=True, eq=False)
class Work:
    """What a queue was given to do, known to host code as an event."""

    queue: Queue
    event: Event
    natives: tuple[NativeEvent, ...]
    """The driver's events, kept if their times may be asked for."""

    def times(self) -> Times:
        """When it was done, once it is."""
        if not self.queue.profiling:
            raise HostError(
                Errc.INVALID,
                "the event has no times: its queue does not measure them",
                hint="make the queue with property::queue::enable_profiling",
            )
        self.event.settle()
        first, last = (self.event.queue.times(self.natives[place]) for place in (0, -1))
        return Times(first.submit, first.start, last.end)
