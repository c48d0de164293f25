"""The times of commands, on one clock for all queues.

CUDA measures the time between two events, in milliseconds as a 32-bit number, which is exact only
for short times. So the beginning of a command is measured from a recent event whose time on the
host is known.
"""

from time import perf_counter_ns

from dovetail.runtime.backend import Times
from dovetail.runtime.cuda.api import Handle
from dovetail.runtime.cuda.context import CudaContext
from dovetail.runtime.cuda.events import ClockReference, TimedEvent

_LONGEST_NS = 1_000_000_000
"""The age at which a reference is replaced: elapsed times are then exact to 0.1 microseconds."""

_NS_PER_MS = 1e6


class StreamClock:
    """The reference of a stream's commands."""

    def __init__(self, context: CudaContext, stream: Handle) -> None:
        self._context = context
        self._stream = stream
        self._last: TimedEvent | None = None
        self._reference = self._new_reference()

    def begin(self, event: TimedEvent) -> None:
        """Note the beginning of a command, to be called right before it."""
        now = perf_counter_ns()
        is_idle = self._last is None or self._last.is_done
        if now - self._reference.nanoseconds > _LONGEST_NS and is_idle:
            self._reference = self._new_reference()
        event.reference, self._last = self._reference, event
        event.start = self._recorded()

    def _new_reference(self) -> ClockReference:
        event = self._recorded()
        self._context.call("cuEventSynchronize", event.handle)
        return ClockReference(event, perf_counter_ns())

    def _recorded(self) -> TimedEvent:
        event = TimedEvent(self._context)
        event.reserve()
        event.record(self._stream)
        return event


def times_of(event: TimedEvent) -> Times:
    """Return the times of a completed command."""
    assert event.start is not None
    assert event.reference is not None
    start = event.reference.nanoseconds + _elapsed(event.reference.event, event.start)
    end = start + _elapsed(event.start, event)
    # The clocks of host and device drift.
    submitted = min(event.submitted, start)
    return Times(submitted, submitted, start, end)


def _elapsed(first: TimedEvent, last: TimedEvent) -> int:
    milliseconds: float = last.context.call("cuEventElapsedTime", first.handle, last.handle)
    return max(round(milliseconds * _NS_PER_MS), 0)
