"""Queues of host code, and the work that is given to them."""

from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Protocol

from dovetail.runtime.assertions import AssertionReader
from dovetail.runtime.backend import BackendAllocation, BackendQueue, NativeEvent, Times
from dovetail.runtime.device import Device
from dovetail.runtime.event import Event
from dovetail.runtime.host.errc import Errc, HostError
from dovetail.runtime.host.structures import QueueFlag

_MAX_IDLE_LANES = 8
"""Of those that have nothing to do."""


class QueuedCommand(Protocol):
    """Something a queue can do."""

    @property
    def reader(self) -> AssertionReader | None:
        """Who knows whether an assertion failed, if it has any."""
        return None

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


class HostQueue:
    """Work for one device, done in the order it was given, even if that was not asked for.

    Only what waits for the host is another matter: if no order was asked for, it goes to lanes of
    its own, so that nothing else waits with it.
    """

    def __init__(self, device: Device, flags: int) -> None:
        self.device = device
        self.in_order = bool(flags & QueueFlag.IN_ORDER)
        self.profiling = bool(flags & QueueFlag.PROFILING)
        if self.profiling and not device.has("queue_profiling"):
            raise HostError(
                Errc.FEATURE_NOT_SUPPORTED, f"'{device.name}' cannot measure the times of its work"
            )
        self._native = device.native.open_queue(profiling=self.profiling)
        # While host code runs, the system itself ends the process when it is interrupted.
        self.pending = device.work.new_pending(self._native, may_block=True)
        self.held: dict[QueueWork, None] = {}
        """Work that waits for the host or is the host's own, unless it is over; oldest first."""
        self.barrier: QueueWork | None = None
        """The last work that all later work has to wait for."""
        self._lanes: deque[tuple[BackendQueue, QueueWork]] = deque()
        """Those that were used, each with its last work; the one that was used first is first."""

    def start(
        self,
        command: QueuedCommand,
        memory: Mapping[int, BackendAllocation],
        after: Sequence[NativeEvent] = (),
    ) -> "QueueWork":
        """Start a command; what it uses stays alive until it is done."""
        work = QueueWork()
        work.owner = self
        try:
            self.pending.add(work, (command, memory))
            work.reader = command.reader
            work.natives = work.measured = command.start(self._native, memory, after)
        except BaseException as error:
            self.pending.start_failed(work, error)
            raise
        # Nobody may ever wait for it, and work of other queues may.
        self._native.flush()
        return work

    @property
    def main_lane(self) -> BackendQueue:
        """Where all goes that does not wait for the host."""
        return self._native

    def lane_for_held(self) -> BackendQueue:
        """Where work that waits for the host can go."""
        if self.in_order:
            return self._native
        try:
            lane, last = self._lanes.popleft()
        except IndexError:
            return self._new_lane()
        if last.done:
            return lane
        self._lanes.appendleft((lane, last))
        return self._new_lane()

    def _new_lane(self) -> BackendQueue:
        return self.device.native.open_queue(profiling=self.profiling)

    def start_held(
        self,
        command: QueuedCommand,
        memory: Mapping[int, BackendAllocation],
        after: Sequence[NativeEvent],
        lane: BackendQueue,
    ) -> "QueueWork":
        """Start a command that waits for the host."""
        work = HeldWork()
        work.owner, work.lane = self, lane
        self.pending.in_order = False
        try:
            self.pending.add(work, (command, memory))
            work.reader = command.reader
            work.natives = work.measured = command.start(lane, memory, after)
        except BaseException as error:
            self.pending.start_failed(work, error)
            raise
        self.held[work] = None
        lane.flush()
        if lane is not self._native:
            self._lanes.append((lane, work))
            self._drop_lanes()
        return work

    def _drop_lanes(self) -> None:
        """Let go of what a crowd of work behind the host has left."""
        while len(self._lanes) > _MAX_IDLE_LANES and self._lanes[0][1].done:
            with suppress(IndexError):
                self._lanes.popleft()

    def forget_finished(self) -> None:
        """Drop the oldest of what is held, as far as it is over."""
        for work in tuple(self.held):
            if not work.done:
                return
            self.held.pop(work, None)


class QueueWork(Event):
    """What a queue was given to do, known to host code as an event."""

    __slots__ = ("measured", "owner")

    owner: HostQueue
    measured: tuple[NativeEvent, ...]
    """The driver's events, whose times may be asked for when the work is over."""

    def wait(self) -> None:
        """Return when the work is over; its queue tells what it failed with."""
        if self.natives:
            self.settle()

    def times(self) -> Times:
        """When it was done, once it is."""
        if not self.owner.profiling:
            raise HostError(
                Errc.INVALID,
                "the event has no times: its queue does not measure them",
                hint="make the queue with property::queue::enable_profiling",
            )
        self.settle()
        return self._measured_times()

    def _measured_times(self) -> Times:
        first, last = (self.queue.times(self.measured[place]) for place in (0, -1))
        return Times(first.submit, first.start, last.end)


class HeldWork(QueueWork):
    """Work that cannot begin before the host has done something."""

    __slots__ = ("lane",)

    waits_for_host = True
    lane: BackendQueue

    @property
    def queue(self) -> BackendQueue:
        return self.lane
