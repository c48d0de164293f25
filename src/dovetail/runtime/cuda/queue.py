"""Queues in CUDA: one stream each."""

import weakref
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter, perf_counter_ns
from typing import cast

from dovetail.errors import DeviceError, DovetailError
from dovetail.runtime.backend import BackendKernel, Times
from dovetail.runtime.cuda.api import CudaError, Handle
from dovetail.runtime.cuda.context import CudaContext
from dovetail.runtime.cuda.deferrals import Before, Command, Deferrals, merged
from dovetail.runtime.cuda.events import CudaEvent, CudaGate, TimedEvent
from dovetail.runtime.cuda.filling import fill
from dovetail.runtime.cuda.geometry import grid_of
from dovetail.runtime.cuda.profiling import StreamClock, times_of
from dovetail.runtime.cuda.program import CudaKernel
from dovetail.runtime.interruptible import wait_interruptibly

_NON_BLOCKING = 1  # CU_STREAM_NON_BLOCKING

LONGEST_POLL_S = 0.001
"""How long a wait polls before it blocks: waking up a thread takes longer than short kernels."""

_MAX_NAMED = 64
"""The number of commands whose kernels are named if the context fails."""


class CudaQueue:
    """An in-order queue; its commands also wait for events of the device's other queues."""

    def __init__(
        self, context: CudaContext, deferrals: Deferrals, *, profiling: bool = False
    ) -> None:
        self._context = context
        self._deferrals = deferrals
        self._stream: Handle = context.call("cuStreamCreate", _NON_BLOCKING)
        self._clock = StreamClock(context, self._stream) if profiling else None
        self._deferred: deque[Command] = deque()
        self._recent: deque[CudaEvent] = deque(maxlen=_MAX_NAMED)
        """The last commands, of which the newest may not be complete."""
        recent = self._recent
        self._suspects = context.new_suspects(lambda: _unfinished_kernels(recent))
        # Work in flight continues, and its resources are freed afterwards.
        closing = weakref.finalize(self, context.release, "cuStreamDestroy", self._stream)
        # When Python exits, the driver frees everything.
        closing.atexit = False

    def launch(
        self,
        kernel: BackendKernel,
        global_size: tuple[int, ...],
        local_size: tuple[int, ...] | None,
        offset: tuple[int, ...] | None = None,
        after: Sequence[Before] = (),
        /,
    ) -> CudaEvent:
        kernel = cast(CudaKernel, kernel)
        if offset:
            raise DeviceError(
                f"kernel {kernel.name} cannot be launched with an offset on"
                f" '{self._context.name}': code for NVIDIA's GPUs does not add it to ids",
                hint="add it in the kernel",
            )
        grid = grid_of(global_size, local_size, kernel.largest_group)
        stream, context = self._stream, self._context
        if not after and not self._deferred and self._clock is None:
            # As `_start` does it, without the calls that most launches do not need.
            context.enter()
            event = CudaEvent(context, kernel.name)
            event.reserve()
            kernel.start(stream, grid)
            event.record(stream)
            self._recent.append(event)
            return event
        with_arguments = kernel.with_own_arguments()
        return self._start(lambda: with_arguments.start(stream, grid), kernel.name, after)

    def copy(self, target: int, source: int, size: int, after: Sequence[Before] = ()) -> CudaEvent:
        def start() -> None:
            self._context.call("cuMemcpyAsync", target, source, size, self._stream)

        return self._start(start, "", after)

    def fill(
        self, target: int, pattern: bytes, size: int, after: Sequence[Before] = ()
    ) -> CudaEvent:
        def start() -> None:
            fill(self._context, self._stream, target, pattern, size)

        return self._start(start, "", after)

    def marker(self, after: Sequence[Before] = ()) -> CudaEvent:
        return self._start(lambda: None, "", after)

    def times(self, event: CudaEvent, /) -> Times:
        assert isinstance(event, TimedEvent)
        return times_of(event)

    def flush(self) -> None:
        """Do nothing: the driver submits all commands at once."""

    def wait(self, event: CudaEvent, may_block: bool = False, /) -> None:
        give_up = perf_counter() + LONGEST_POLL_S
        while not event.is_done:
            if perf_counter() > give_up:
                self._block(event, may_block)
        if event.is_over and event.kernel:
            # Only such calls print what kernels have printed; this one returns at once.
            self._synchronize(event)
        if event.failure is not None:
            raise type(event.failure)(event.failure.message, hint=event.failure.hint)
        if not event.is_over:
            raise self._context.failure_error()

    def is_done(self, event: CudaEvent | CudaGate, /) -> bool:
        return event.is_open if isinstance(event, CudaGate) else event.is_done

    def finish(self) -> None:
        self.wait(self.marker(), True)

    @property
    def has_deferred(self) -> bool:
        """Whether commands wait for the host."""
        return bool(self._deferred)

    def start_ready(self) -> bool:
        """Start deferred commands up to the first that has to wait; return whether any started."""
        started = False
        while self._deferred and self._deferred[0].is_ready:
            command = self._deferred[0]
            try:
                self._pass_on(command)
            except DovetailError as error:
                command.event.failure = error.with_traceback(None)
            # Only now: later commands are deferred as long as there are others.
            self._deferred.popleft()
            started = True
        return started

    def _start(
        self, start: Callable[[], None], kernel: str, after: Sequence[Before] = ()
    ) -> CudaEvent:
        """Start a command, or defer it if it has to wait for the host."""
        event = CudaEvent(self._context, kernel)
        if self._clock is not None:
            event = TimedEvent(self._context, kernel)
            event.submitted = perf_counter_ns()
        if not after and not self._deferred:
            self._pass_on(Command(start, event, ()))
            return event
        with self._deferrals.lock:
            command = Command(start, event, merged(after))
            if command.is_ready and not self._deferred:
                self._pass_on(command)
            else:
                self._deferred.append(command)
                self._deferrals.add(self)
        return event

    def _pass_on(self, command: Command) -> None:
        self._context.enter()
        event = command.event
        event.reserve()
        for before in command.after:
            if isinstance(before, CudaEvent):
                self._wait_on_device(before)
        if isinstance(event, TimedEvent) and self._clock is not None:
            self._clock.begin(event)
        command.start()
        event.record(self._stream)
        self._recent.append(event)

    def _wait_on_device(self, before: CudaEvent) -> None:
        """Let the stream wait for a command of another one."""
        if before.stream is not None and before.stream is not self._stream:
            self._context.call("cuStreamWaitEvent", self._stream, before.handle, 0)

    def _block(self, event: CudaEvent, may_block: bool) -> None:
        """Wait without polling until the driver has the command, then until it is done."""
        if event.stream is None:
            self._deferrals.wait_for(event)
        elif may_block:
            self._synchronize(event)
        else:
            wait_interruptibly(lambda: self._synchronize(event))

    def _synchronize(self, event: CudaEvent) -> None:
        try:
            self._context.call("cuEventSynchronize", event.handle)
        except DovetailError as error:
            # The caller finds the context lost; anything else is not the work's failure.
            if isinstance(error, CudaError) or not self._context.is_lost:
                raise


def _unfinished_kernels(recent: "deque[CudaEvent]") -> Iterator[str]:
    """Yield the kernels that may be running: a queue's commands complete in order."""
    events = tuple(recent)
    begin = max((number + 1 for number, event in enumerate(events) if event.is_over), default=0)
    return (event.kernel for event in events[begin:] if event.kernel)
