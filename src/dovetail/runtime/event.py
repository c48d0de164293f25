"""Events: work in flight on a device, and waiting for it.

An event holds references to what its work uses, and a queue's `Pending` holds its events until
their work is done, so memory outlives the work even if the program drops it.
"""

import warnings
from collections import deque
from contextlib import suppress
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from dovetail.errors import DovetailError, UsageError
from dovetail.runtime.backend import BackendAllocation, BackendQueue, NativeEvent
from dovetail.runtime.ending import settle_before_python_ends

if TYPE_CHECKING:
    from collections.abc import Generator

    from dovetail.kernel_info import KernelInfo
    from dovetail.runtime.assertions import AssertionReader


class EventProfile(NamedTuple):
    """When a kernel was queued, submitted, started and ended.

    In nanoseconds of a clock without a defined beginning: only differences have a meaning.
    """

    queued: int
    """When the launch was given to the driver."""
    submitted: int
    """When the driver submitted it to the device."""
    started: int
    ended: int

    @property
    def duration(self) -> int:
        """How long the kernel ran, in nanoseconds."""
        return self.ended - self.started


class Event:
    """One launch or copy: in flight, done or failed."""

    __slots__ = (
        "__weakref__",
        "failure",
        "is_reported",
        "kept",
        "kernel",
        "natives",
        "pending",
        "reader",
    )

    waits_for_host: ClassVar[bool] = False
    """Whether the work may depend on something that the host does."""

    # No `__init__`, which would double the cost of a launch: `Pending.add` sets the attributes.
    pending: "Pending"
    natives: tuple[NativeEvent, ...] | None
    """The driver's events: None before the work is started, empty once it is known to be done."""
    kept: object
    """Objects that must stay alive until the work is done."""
    failure: DovetailError | None
    is_reported: bool
    """Whether the failure has been reported to the program."""
    reader: "AssertionReader | None"
    """Reads failed assertions, if the work has assertions."""
    kernel: "KernelInfo | None"
    """The kernel that a launch from Python runs."""

    @property
    def profile(self) -> EventProfile:
        """When the kernel was queued, submitted, started and ended; waits until it is done."""
        raise UsageError(
            "the event has no times: its queue was created without profiling",
            hint="create the queue with Queue(profiling=True),"
            " or launch the kernel in a `with dovetail.profile()` block",
        )

    def wait(self) -> None:
        """Wait until the work is done and its results can be read; raise its error if it failed."""
        if self.natives:
            self.settle()
        if self.failure is not None:
            self.take_failure()
            raise self.failure

    def __await__(self) -> "Generator[Any, None, None]":
        """Wait in a task of asyncio, as `wait` does; other tasks run meanwhile."""
        # Imported late: most programs have no such tasks.
        from dovetail.runtime.awaiting import wait_in_task

        return wait_in_task(self).__await__()

    def settle(self) -> None:
        """Wait until the work is done or has failed, and release what it uses."""
        pending = self.pending
        reader = self.reader if self.natives else None
        for native in self.natives or ():
            try:
                pending.queue.wait(native, pending.may_block)
            except DovetailError as error:
                self.fail(error)
        if reader is not None:
            self._read_assertions(reader)
        self.natives = ()
        self.kept = None
        pending.events.pop(self, None)

    def _read_assertions(self, reader: "AssertionReader") -> None:
        """Let the event fail if an assertion of its kernels has failed."""
        try:
            failure = reader.failure(self.queue)
        except DovetailError as error:
            failure = error
        if failure is not None and self.failure is None:
            self.fail(failure)

    def fail(self, failure: DovetailError) -> None:
        """Record the failure of the work, after failures of older work."""
        self.pending.settle_older(self)
        self.failure = failure
        self.pending.failed[self] = None

    @property
    def queue(self) -> BackendQueue:
        """The queue of the work."""
        return self.pending.queue

    def take_failure(self) -> DovetailError | None:
        """Return the failure unless it was reported before, and mark it as reported."""
        failure = None if self.is_reported else self.failure
        self.is_reported = True
        self.pending.failed.pop(self, None)
        return failure

    @property
    def done(self) -> bool:
        """Whether the work is done or has failed; if it failed, `wait` raises."""
        natives = self.natives
        return natives is not None and all(map(self.queue.is_done, natives))

    def abandon(self) -> None:
        """Forget work that could not be started."""
        self.natives = None
        self.settle()

    def keep(self, thing: object) -> None:
        """Keep an object alive until the work is done; callable from any thread."""
        with self.pending.lock:
            self.kept = (self.kept, thing)
        if self.natives == ():
            # The work has finished meanwhile.
            self.kept = None

    def __dir__(self) -> list[str]:
        # The others are for the runtime itself.
        return ["done", "profile", "wait"]

    def __repr__(self) -> str:
        state = "failed" if self.failure else "done" if self.done else "in flight"
        return f"<Event {state}>"


class Pending:
    """The events of one queue that may still be in flight, oldest first."""

    def __init__(self, queue: BackendQueue, *, may_block: bool = False) -> None:
        self.queue = queue
        self.event_type: type[Event] = Event
        """The class of the events of launches from Python."""
        self.may_block = may_block
        """Whether waits may block where Python cannot interrupt them."""
        self.is_closed = False
        """Whether the queue cannot get more work."""
        # Each operation on these is atomic in Python, so launches and waits need no lock.
        self.events: dict[Event, None] = {}
        self.failed: dict[Event, None] = {}
        """Events whose failure may not have been reported."""
        self.in_order = True
        """Whether work finishes in submission order; host tasks may not."""
        self._sweep_at = 1
        """The number of events at which finished ones are dropped."""
        # Reentrant: dropping an event can run other objects' finalizers, which may call this.
        self.lock = RLock()

    def add(
        self,
        event: Event,
        kept: object,
        reader: "AssertionReader | None" = None,
        kernel: "KernelInfo | None" = None,
    ) -> None:
        """Add a new event for work that is about to start; `kept` stays alive until it is done."""
        if len(self.events) >= self._sweep_at:
            self._drop_finished()
            waiting = len(self.events)
            # The cost is linear in the number of events, so the next sweep comes later.
            self._sweep_at = 1 + waiting + waiting // 8
        event.pending = self
        event.kept = kept
        event.reader = reader
        event.kernel = kernel
        event.natives = event.failure = None
        event.is_reported = False
        self.events[event] = None

    def start_failed(self, event: Event, error: BaseException) -> None:
        """Handle `error`, raised while the work was being started."""
        if event not in self.events:
            return
        if isinstance(error, DovetailError):
            event.abandon()
        else:
            # An interrupt. The driver may have accepted the work, so what it uses must stay alive.
            self.wait_for_queue(event)

    def wait_for_queue(self, event: Event) -> None:
        """Make an event wait for all work of the queue so far."""
        if event in self.events:
            event.natives = (self.queue.marker(),)

    def wait(self) -> None:
        """Wait for all work started so far, and raise the first unreported failure."""
        self.settle()
        failures = list(iter(self.next_failure, None))
        if failures:
            raise failures[0]

    def settle(self, *, device_work_only: bool = False) -> None:
        """Wait for all work started so far; failures stay recorded.

        `device_work_only` skips work that waits for the host, which may be the calling thread.
        """
        for event in tuple(self.events):
            if event.natives and not (device_work_only and event.waits_for_host):
                event.settle()

    def settle_older(self, event: Event) -> None:
        """Settle finished work that was submitted before `event`."""
        for older in tuple(self.events):
            if older is event:
                return
            if older.done:
                older.settle()

    def next_failure(self) -> DovetailError | None:
        """Return the oldest unreported failure of finished work, and mark it as reported."""
        self._drop_finished()
        for event in tuple(self.failed):
            failure = event.take_failure()
            if failure is not None:
                return failure
        return None

    @property
    def is_idle(self) -> bool:
        """Whether no work is in flight."""
        self._drop_finished()
        return not self.events

    def hold(self, allocation: BackendAllocation) -> None:
        """Keep memory alive until the work in flight is done."""
        # Finished work that is still listed would keep the memory alive forever.
        self._drop_finished()
        for event in reversed(tuple(self.events)):
            event.keep(allocation)
            # In an in-order queue, the newest started work finishes last.
            if event.natives and self.in_order:
                return

    def _drop_finished(self) -> None:
        """Settle finished work, which drops it."""
        for event in tuple(self.events):
            if event.done:
                event.settle()
            elif self.in_order:
                # Newer work cannot have finished.
                return


class DeviceWork:
    """The work of all queues of one device.

    A kernel can access memory that is not among its arguments, through pointers in other memory.
    So a dropped allocation stays alive until all work in flight on the device is done.
    """

    def __init__(self) -> None:
        # Each operation on these is atomic in Python, so no lock is needed.
        self._queues: dict[Pending, None] = {}
        self._stranded: deque[BackendAllocation] = deque()
        """Memory that is being dropped; the finalizer may have been interrupted."""
        settle_before_python_ends(self)

    def new_pending(self, queue: BackendQueue, *, may_block: bool = False) -> Pending:
        """Return the list for a new queue; it is tracked until it is closed and idle.

        With `may_block`, waits may block where Python cannot interrupt them.
        """
        pending = Pending(queue, may_block=may_block)
        self._queues[pending] = None
        self._drop_closed()
        return pending

    def close(self, pending: Pending) -> None:
        """Note that the queue does not get more work."""
        pending.is_closed = True
        self._drop_closed()

    def settle(self, *, device_work_only: bool = False) -> None:
        """Wait for all work started so far; failures stay recorded in their queues."""
        for pending in tuple(self._queues):
            pending.settle(device_work_only=device_work_only)
        self._drop_closed()

    def hold(self, allocation: BackendAllocation) -> None:
        """Keep memory alive until the work in flight is done."""
        # An interrupt in a finalizer is lost, but memory in use must not be freed.
        self._stranded.append(allocation)
        for stranded in tuple(self._stranded):
            for pending in tuple(self._queues):
                pending.hold(stranded)
            with suppress(ValueError):
                self._stranded.remove(stranded)
        self._drop_closed()

    @property
    def is_idle(self) -> bool:
        """Whether no work is in flight."""
        return all(pending.is_idle for pending in tuple(self._queues))

    def _drop_closed(self) -> None:
        """Drop closed queues that are idle, and warn of their unreported failures."""
        for pending in tuple(self._queues):
            if pending.is_closed and pending.is_idle:
                self._queues.pop(pending, None)
                for failure in iter(pending.next_failure, None):
                    warnings.warn(
                        f"work of a deleted queue failed: {failure}",
                        RuntimeWarning,
                        stacklevel=2,
                    )
