"""Work that was given to a device, and waiting for it.

An event holds what its work uses, and a queue's `Pending` holds its events until their work is
done, so memory outlives the work whatever Python drops.
"""

from collections import deque
from threading import Lock, RLock
from weakref import ref

from dovetail.errors import DovetailError
from dovetail.runtime.backend import BackendAllocation, BackendQueue, NativeEvent

# Events that were waited for hold nothing, so a few of them may stay; dropping them one by one
# would cost every launch.
_FEW = 8


class Event:
    """One launch: under way, done or failed."""

    natives: tuple[NativeEvent, ...] | None = None
    """The driver's events: None before the work is started, empty once it is known to be over."""
    _failure: DovetailError | None = None
    _told = False
    """Whether someone has been told of the failure."""

    def __init__(self, queue: BackendQueue, kept: object) -> None:
        self.queue = queue
        self.kept = [kept]
        """What must stay alive until the work is done; any thread may append to it."""

    def wait(self) -> None:
        """Return when the work is done and its results can be read; raise if it failed."""
        self.settle()
        if self._failure is not None:
            self._told = True
            raise self._failure

    def settle(self) -> None:
        """Return when the work is over, whether it failed or not."""
        for native in self.natives or ():
            try:
                self.queue.wait(native)
            except DovetailError as error:
                self._failure = error
        self.natives = ()
        self.kept.clear()

    @property
    def has_untold_failure(self) -> bool:
        return self._failure is not None and not self._told

    def take_failure(self) -> DovetailError | None:
        """What the work failed with, unless someone has been told."""
        failure = None if self._told else self._failure
        self._told = True
        return failure

    @property
    def done(self) -> bool:
        """Whether the work is over; if it failed, `wait` raises."""
        natives = self.natives
        return natives is not None and all(map(self.queue.is_done, natives))

    def abandon(self) -> None:
        """Forget work that could not be started."""
        self.natives = ()
        self.kept.clear()

    def __repr__(self) -> str:
        state = "failed" if self._failure else "done" if self.done else "under way"
        return f"<Event {state}>"


class Pending:
    """The events of one in-order queue that may still be under way, oldest first."""

    def __init__(self) -> None:
        self._events: deque[Event] = deque()
        # Letting go of an event can run other objects' finalizers, which may come back here.
        self._lock = RLock()
        self._failed: deque[Event] = deque()
        """Events whose failure nobody may have been told of."""

    def new_event(self, queue: BackendQueue, kept: object) -> Event:
        """An event for work that is about to start."""
        events = self._events
        if events and (events[0].natives or len(events) > _FEW):
            self._drop_finished()
        event = Event(queue, kept)
        events.append(event)
        return event

    def wait(self) -> None:
        """Wait for all work started so far, and raise the first failure nobody was told of."""
        self.settle()
        failures = list(iter(self.next_failure, None))
        if failures:
            raise failures[0]

    def settle(self) -> None:
        """Wait for all work started so far; failures are kept."""
        for event in tuple(self._events):
            if event.natives:
                event.settle()
        self._drop_finished()

    def next_failure(self) -> DovetailError | None:
        """The oldest failure of finished work that nobody was told of, told herewith."""
        self._drop_finished()
        while self._failed:
            failure = self._failed.popleft().take_failure()
            if failure is not None:
                return failure
        return None

    @property
    def is_over(self) -> bool:
        """Whether all work is done or has failed."""
        self._drop_finished()
        return not self._events

    def hold(self, allocation: BackendAllocation) -> None:
        """Keep memory until the work that is under way now is done."""
        for event in reversed(tuple(self._events)):
            if event.natives != ():
                event.kept.append(allocation)
            # Work is done in order, so the youngest that was started is done last.
            if event.natives:
                return

    def _drop_finished(self) -> None:
        events = self._events
        with self._lock:
            while events:
                oldest = events[0]
                # An event that someone waited for need not ask the driver.
                if oldest.natives != ():
                    if not oldest.done:
                        return
                    oldest.settle()
                if oldest.has_untold_failure:
                    self._failed.append(oldest)
                events.popleft()


class WorkUnderWay:
    """The work of all queues of one device.

    A kernel can reach memory that is not among its arguments, through addresses in other memory.
    So an allocation that is dropped stays until all the device's work of that moment is done.
    """

    def __init__(self) -> None:
        self._queues: tuple[ref[Pending], ...] = ()
        self._lock = Lock()

    def new_pending(self) -> Pending:
        """The list for a new queue; it is watched as long as it lives."""
        pending = Pending()
        with self._lock:
            living = (queue for queue in self._queues if queue() is not None)
            self._queues = (*living, ref(pending))
        return pending

    def settle(self) -> None:
        """Wait for all work started so far; failures are kept by their queues."""
        for queue in self._queues:
            pending = queue()
            if pending is not None:
                pending.settle()

    def hold(self, allocation: BackendAllocation) -> None:
        """Keep memory until the work that is under way now is done."""
        for queue in self._queues:
            pending = queue()
            if pending is not None:
                pending.hold(allocation)
