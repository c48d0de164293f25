"""Work that was given to a device, and waiting for it.

An event holds what its work uses, and a queue's `Pending` holds its events until their work is
done, so memory outlives the work whatever Python drops.
"""

import warnings
from collections import deque
from contextlib import suppress
from threading import RLock
from typing import ClassVar

from dovetail.errors import DovetailError
from dovetail.runtime.assertions import AssertionReader
from dovetail.runtime.backend import BackendAllocation, BackendQueue, NativeEvent
from dovetail.runtime.ending import settle_before_python_ends


class Event:
    """One launch: under way, done or failed."""

    __slots__ = ("__weakref__", "failure", "is_reported", "kept", "natives", "pending", "reader")

    waits_for_host: ClassVar[bool] = False
    """Whether the host may have to do something before the work can end."""

    # Without an `__init__`, which would take as long as all the rest: `Pending.add` fills in.
    pending: "Pending"
    natives: tuple[NativeEvent, ...] | None
    """The driver's events: None before the work is started, empty once it is known to be over."""
    kept: object
    """What must stay alive until the work is done."""
    failure: DovetailError | None
    is_reported: bool
    """Whether someone has been told of the failure."""
    reader: AssertionReader | None
    """Who knows whether an assertion failed, if the work has any."""

    def wait(self) -> None:
        """Return when the work is done and its results can be read; raise if it failed."""
        if self.natives:
            self.settle()
        if self.failure is not None:
            self.take_failure()
            raise self.failure

    def settle(self) -> None:
        """Return when the work is over, whether it failed or not."""
        pending = self.pending
        reader = self.reader if self.natives else None
        for native in self.natives or ():
            try:
                pending.queue.wait(native, pending.may_block)
            except DovetailError as error:
                self.fail(error)
        if reader is not None:
            self._ask(reader)
        self.natives = ()
        self.kept = None
        pending.events.pop(self, None)

    def _ask(self, reader: AssertionReader) -> None:
        try:
            failure = reader.failure(self.queue)
        except DovetailError as error:
            failure = error
        if failure is not None and self.failure is None:
            self.fail(failure)

    def fail(self, failure: DovetailError) -> None:
        """Note what the work failed with, behind older failures."""
        self.pending.settle_older(self)
        self.failure = failure
        self.pending.failed[self] = None

    @property
    def queue(self) -> BackendQueue:
        """Where it runs."""
        return self.pending.queue

    def take_failure(self) -> DovetailError | None:
        """What the work failed with, unless someone has been told."""
        failure = None if self.is_reported else self.failure
        self.is_reported = True
        self.pending.failed.pop(self, None)
        return failure

    @property
    def done(self) -> bool:
        """Whether the work is over; if it failed, `wait` raises."""
        natives = self.natives
        return natives is not None and all(map(self.queue.is_done, natives))

    def abandon(self) -> None:
        """Forget work that could not be started."""
        self.natives = None
        self.settle()

    def keep(self, thing: object) -> None:
        """Keep something alive until the work is done; any thread may ask for that."""
        with self.pending.lock:
            self.kept = (self.kept, thing)
        if self.natives == ():
            # It ended meanwhile.
            self.kept = None

    def __repr__(self) -> str:
        state = "failed" if self.failure else "done" if self.done else "under way"
        return f"<Event {state}>"


class Pending:
    """The events of one queue that may still be under way, oldest first."""

    def __init__(self, queue: BackendQueue, *, may_block: bool = False) -> None:
        self.queue = queue
        self.may_block = may_block
        """Whether whoever waits may do so where Python cannot interrupt it."""
        self.is_closed = False
        """Whether nobody can give it more work."""
        # Each step on these is one of Python's own, so launches and waits need no lock.
        self.events: dict[Event, None] = {}
        self.failed: dict[Event, None] = {}
        """Events whose failure nobody may have been told of."""
        self.in_order = True
        """Whether work is done in the order it was given; the host's own need not be."""
        self._sweep_at = 1
        """How many events there are when it is time to look which of them are over."""
        # Letting go of an event can run other objects' finalizers, which may come back here.
        self.lock = RLock()

    def add(self, event: Event, kept: object) -> None:
        """Take a new event for work that is about to start."""
        if len(self.events) >= self._sweep_at:
            self._drop_finished()
            waiting = len(self.events)
            # Not each time if there are many, since looking takes as long as there are events.
            self._sweep_at = 1 + waiting + waiting // 8
        event.pending = self
        event.kept = kept
        event.natives = event.failure = event.reader = None
        event.is_reported = False
        self.events[event] = None

    def start_failed(self, event: Event, error: BaseException) -> None:
        """See to work that could not be started because of `error`."""
        if event not in self.events:
            return
        if isinstance(error, DovetailError):
            event.abandon()
        else:
            # An interrupt. The driver may have taken the work already, so what it uses must stay.
            self.wait_for_queue(event)

    def wait_for_queue(self, event: Event) -> None:
        """Let an event stand for all that the queue was given so far."""
        if event in self.events:
            event.natives = (self.queue.marker(),)

    def wait(self) -> None:
        """Wait for all work started so far, and raise the first failure nobody was told of."""
        self.settle()
        failures = list(iter(self.next_failure, None))
        if failures:
            raise failures[0]

    def settle(self, *, device_work_only: bool = False) -> None:
        """Wait for all work started so far; failures are kept.

        `device_work_only` leaves out what waits for the host, who may be the one that asks.
        """
        for event in tuple(self.events):
            if event.natives and not (device_work_only and event.waits_for_host):
                event.settle()

    def settle_older(self, event: Event) -> None:
        """See what became of the work that was given before, as far as it is over."""
        for older in tuple(self.events):
            if older is event:
                return
            if older.done:
                older.settle()

    def next_failure(self) -> DovetailError | None:
        """The oldest failure of finished work that nobody was told of, told herewith."""
        self._drop_finished()
        for event in tuple(self.failed):
            failure = event.take_failure()
            if failure is not None:
                return failure
        return None

    @property
    def is_idle(self) -> bool:
        """Whether all work is done or has failed."""
        self._drop_finished()
        return not self.events

    def hold(self, allocation: BackendAllocation) -> None:
        """Keep memory until the work that is under way now is done."""
        # Work that is over but that nobody asked about would keep the memory for good.
        self._drop_finished()
        for event in reversed(tuple(self.events)):
            event.keep(allocation)
            # Where work is done in order, the youngest that was started is done last.
            if event.natives and self.in_order:
                return

    def _drop_finished(self) -> None:
        """Where work is done in order, the oldest tell."""
        for event in tuple(self.events):
            if event.done:
                event.settle()
            elif self.in_order:
                return


class DeviceWork:
    """The work of all queues of one device.

    A kernel can reach memory that is not among its arguments, through addresses in other memory.
    So an allocation that is dropped stays until all the device's work of that moment is done.
    """

    def __init__(self) -> None:
        # Each step on these is one of Python's own, so no lock is needed.
        self._queues: dict[Pending, None] = {}
        self._stranded: deque[BackendAllocation] = deque()
        """Memory whose dropping was interrupted."""
        settle_before_python_ends(self)

    def new_pending(self, queue: BackendQueue, *, may_block: bool = False) -> Pending:
        """The list for a new queue; it is watched until it is left and has no work.

        With `may_block`, Python need not be able to interrupt those that wait.
        """
        pending = Pending(queue, may_block=may_block)
        self._queues[pending] = None
        self._drop_closed()
        return pending

    def close(self, pending: Pending) -> None:
        """Nobody will give the queue more work."""
        pending.is_closed = True
        self._drop_closed()

    def settle(self, *, device_work_only: bool = False) -> None:
        """Wait for all work started so far; failures are kept by their queues."""
        for pending in tuple(self._queues):
            pending.settle(device_work_only=device_work_only)
        self._drop_closed()

    def hold(self, allocation: BackendAllocation) -> None:
        """Keep memory until the work that is under way now is done."""
        # An interrupt that comes in a finalizer is lost; memory that is in use must not be.
        self._stranded.append(allocation)
        for stranded in tuple(self._stranded):
            for pending in tuple(self._queues):
                pending.hold(stranded)
            with suppress(ValueError):
                self._stranded.remove(stranded)
        self._drop_closed()

    @property
    def is_idle(self) -> bool:
        """Whether all work is done or has failed."""
        return all(pending.is_idle for pending in tuple(self._queues))

    def _drop_closed(self) -> None:
        """Let go of those that are done, and tell of what failed, as nobody else will."""
        for pending in tuple(self._queues):
            if pending.is_closed and pending.is_idle:
                self._queues.pop(pending, None)
                for failure in iter(pending.next_failure, None):
                    warnings.warn(
                        f"work of a queue that was dropped has failed: {failure}",
                        RuntimeWarning,
                        stacklevel=2,
                    )
