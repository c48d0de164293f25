"""Queues of host code, and the work that is given to them."""

from collections.abc import Mapping, Sequence
from typing import Protocol

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


class ReadyLaunch(Protocol):
    """A kernel that can be started with no more than its object."""

    def start(self, queue: BackendQueue, object_address: int, /) -> NativeEvent: ...


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
        self.pending = device.work.new_pending(self._native, self)

    def start(
        self,
        command: Command,
        memory: Mapping[int, BackendAllocation],
        after: Sequence[NativeEvent] = (),
    ) -> "Work":
        """Start a command; what it uses stays alive until it is done."""
        work = Work()
        work.owner = self
        self.pending.add(work, (command, memory))
        try:
            work.natives = work.measured = command.start(self._native, memory, after)
        except BaseException as error:
            work.abandon_after(error)
            raise
        # Nobody may ever wait for it, and work of other queues may.
        self._native.flush()
        return work

    def start_ready(self, launch: ReadyLaunch, object_address: int) -> "Work":
        """Start a kernel with the object there, behind nothing but what the queue has."""
        work = Work()
        work.owner = self
        self.pending.add(work, launch)
        try:
            work.natives = work.measured = (launch.start(self._native, object_address),)
        except BaseException as error:
            work.abandon_after(error)
            raise
        self._native.flush()
        return work


class Work(Event):
    """What a queue was given to do, known to host code as an event."""

    __slots__ = ("measured", "owner")

    owner: Queue
    measured: tuple[NativeEvent, ...]
    """The driver's events, whose times may be asked for when the work is over."""

    def times(self) -> Times:
        """When it was done, once it is."""
        if not self.owner.profiling:
            raise HostError(
                Errc.INVALID,
                "the event has no times: its queue does not measure them",
                hint="make the queue with property::queue::enable_profiling",
            )
        self.settle()
        first, last = (self.queue.times(self.measured[place]) for place in (0, -1))
        return Times(first.submit, first.start, last.end)
