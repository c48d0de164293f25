"""Work that was given to a queue, and waiting for it.

An event holds what its work uses, so that memory outlives the work whatever Python drops; a
queue holds its events until their work is done.
"""

from collections import deque
from threading import RLock

from dovetail.errors import DovetailError
from dovetail.runtime.backend import BackendQueue, NativeEvent


class Event:
    """One launch: under way, done or failed."""

    __slots__ = ("__weakref__", "_failure", "_kept", "_native", "_queue")

    def __init__(self, queue: BackendQueue, native: tuple[NativeEvent, ...], kept: object) -> None:
        self._queue = queue
        self._native = native
        """The driver's events; empty once they are known to be over."""
        self._kept = kept
        self._failure: DovetailError | None = None

    def wait(self) -> None:
        """Return when the work is done and its results can be read; raise if it failed."""
        for native in self._native:
            try:
                self._queue.wait(native)
            except DovetailError as error:
                self._failure = error
        self._native = ()
        self._kept = None
        if self._failure is not None:
            raise self._failure

    @property
    def done(self) -> bool:
        """Whether the work is over; if it failed, `wait` raises."""
        return all(map(self._queue.is_done, self._native))

    def __repr__(self) -> str:
        state = "failed" if self._failure else "done" if self.done else "under way"
        return f"<Event {state}>"


class Pending:
    """The events of one in-order queue that may still be under way, oldest first."""

    def __init__(self) -> None:
        self._events: deque[Event] = deque()
        # Letting go of an event can run other objects' finalizers, which may come back here.
        self._lock = RLock()
        self._failure: DovetailError | None = None

    def add(self, event: Event) -> None:
        """Hold `event`, and let go of those that are over."""
        events = self._events
        with self._lock:
            while events and events[0].done:
                self._settle(events.popleft())
            events.append(event)

    def wait(self) -> None:
        """Wait for all events added so far, and raise the first failure nobody was told of."""
        for event in tuple(self._events):
            self._settle(event)
        with self._lock:
            while self._events and self._events[0].done:
                self._settle(self._events.popleft())
            failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    def _settle(self, event: Event) -> None:
        try:
            event.wait()
        except DovetailError as error:
            self._failure = self._failure or error
