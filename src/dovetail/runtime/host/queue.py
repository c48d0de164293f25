"""Queues of host code and their work."""

from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from dovetail.runtime.backend import BackendAllocation, BackendQueue, NativeEvent, Times
from dovetail.runtime.device import Device
from dovetail.runtime.event import Event
from dovetail.runtime.host.errc import Errc, HostError
from dovetail.runtime.host.structures import QueueFlag

if TYPE_CHECKING:
    from dovetail.runtime.assertions import AssertionReader

_MAX_IDLE_SIDE_QUEUES = 8
"""The maximum number of idle side queues that are kept."""


class QueuedCommand(Protocol):
    """A command for a queue."""

    @property
    def reader(self) -> "AssertionReader | None":
        """The reader of its failed assertions, if it has assertions."""
        return None

    def start(
        self,
        queue: BackendQueue,
        memory: Mapping[int, BackendAllocation],
        after: Sequence[NativeEvent],
    ) -> tuple[NativeEvent, ...]:
        """Start it after events; `memory` is each buffer's memory, by handle.

        The returned events are of one command queue, in its order.
        """
        ...


class HostQueue:
    """A queue of one device, implemented by an in-order command queue even if it is out of order.

    If it is out of order, work that waits for the host uses other command queues, its side queues,
    so that other work does not wait with it.
    """

    def __init__(self, device: Device, flags: int) -> None:
        self.device = device
        self.in_order = bool(flags & QueueFlag.IN_ORDER)
        self.profiling = bool(flags & QueueFlag.PROFILING)
        if self.profiling and not device.has("queue_profiling"):
            raise HostError(
                Errc.FEATURE_NOT_SUPPORTED, f"'{device.name}' does not support queue profiling"
            )
        self._native = device.native.open_queue(profiling=self.profiling)
        # Interrupts end the process while host code runs, so waits may block.
        self.pending = device.work.new_pending(self._native, may_block=True)
        self.held: dict[QueueWork, None] = {}
        """Unfinished work that waits for the host or is host work, oldest first."""
        self.barrier: QueueWork | None = None
        """The last barrier, which all later work waits for."""
        self._side_queues: deque[tuple[BackendQueue, QueueWork]] = deque()
        """Used side queues, each with its last work, the least recently used first."""

    def start(
        self,
        command: QueuedCommand,
        memory: Mapping[int, BackendAllocation],
        after: Sequence[NativeEvent] = (),
    ) -> "QueueWork":
        """Start a command; objects that it uses stay alive until it is done."""
        work = QueueWork()
        work.owner = self
        try:
            self.pending.add(work, (command, memory))
            work.reader = command.reader
            work.natives = work.measured = command.start(self._native, memory, after)
        except BaseException as error:
            self.pending.start_failed(work, error)
            raise
        # The program may never wait for it, but work of other queues may.
        self._native.flush()
        return work

    @property
    def main_queue(self) -> BackendQueue:
        """The command queue for work that does not wait for the host."""
        return self._native

    @property
    def is_idle(self) -> bool:
        """Whether all work that was submitted is done."""
        return all(work.done for work in (*self.pending.events, *self.held))

    def queue_for_held(self) -> BackendQueue:
        """Return a command queue for work that waits for the host."""
        if self.in_order:
            return self._native
        try:
            native, last = self._side_queues.popleft()
        except IndexError:
            return self._new_side_queue()
        if last.done:
            return native
        self._side_queues.appendleft((native, last))
        return self._new_side_queue()

    def _new_side_queue(self) -> BackendQueue:
        return self.device.native.open_queue(profiling=self.profiling)

    def start_held(
        self,
        command: QueuedCommand,
        memory: Mapping[int, BackendAllocation],
        after: Sequence[NativeEvent],
        native: BackendQueue,
    ) -> "QueueWork":
        """Start a command that waits for the host, in the command queue `native`."""
        work = HeldWork()
        work.owner, work.native_queue = self, native
        self.pending.in_order = False
        try:
            self.pending.add(work, (command, memory))
            work.reader = command.reader
            work.natives = work.measured = command.start(native, memory, after)
        except BaseException as error:
            self.pending.start_failed(work, error)
            raise
        self.held[work] = None
        native.flush()
        if native is not self._native:
            self._side_queues.append((native, work))
            self._drop_side_queues()
        return work

    def _drop_side_queues(self) -> None:
        """Drop idle side queues beyond the maximum."""
        while len(self._side_queues) > _MAX_IDLE_SIDE_QUEUES and self._side_queues[0][1].done:
            with suppress(IndexError):
                self._side_queues.popleft()

    def forget_finished(self) -> None:
        """Drop the oldest held work, up to the first that is not done."""
        for work in tuple(self.held):
            if not work.done:
                return
            self.held.pop(work, None)


class QueueWork(Event):
    """Work of a queue, for host code an event."""

    __slots__ = ("measured", "owner")

    owner: HostQueue
    measured: tuple[NativeEvent, ...]
    """The driver's events, for profiling after the work is done."""

    def wait(self) -> None:
        """Wait for the work; its queue reports its error."""
        if self.natives:
            self.settle()

    def times(self) -> Times:
        """Wait for the work; return its profiling times."""
        if not self.owner.profiling:
            raise HostError(
                Errc.INVALID,
                "the event has no times: its queue was created without profiling",
                hint="create the queue with property::queue::enable_profiling",
            )
        self.settle()
        return self._measured_times()

    def _measured_times(self) -> Times:
        first, last = (self.queue.times(self.measured[place]) for place in (0, -1))
        return Times(first.queued, first.submit, first.start, last.end)


class HeldWork(QueueWork):
    """Work that cannot begin before the host opens a latch."""

    __slots__ = ("native_queue",)

    waits_for_host = True
    native_queue: BackendQueue

    @property
    def queue(self) -> BackendQueue:
        return self.native_queue
