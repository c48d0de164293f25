"""Events of queues, and the gates that work waits for.

An event of the driver is recorded after each command, so waits are exact. Its handle returns to a
pool when nothing refers to it any more.
"""

from collections.abc import Callable
from dataclasses import dataclass

from dovetail.errors import DovetailError
from dovetail.runtime.cuda.api import NOT_READY, SUCCESS, Handle
from dovetail.runtime.cuda.context import CudaContext


@dataclass(frozen=True)
class ClockReference:
    """An event whose time on the host is known."""

    event: "TimedEvent"
    nanoseconds: int


class CudaEvent:
    """The completion of a command."""

    __slots__ = ("context", "failure", "handle", "is_over", "kernel", "stream")

    is_timed = False

    def __init__(self, context: CudaContext, kernel: str = "") -> None:
        self.context = context
        self.kernel = kernel
        """The kernel in messages; empty for other commands."""
        self.handle: Handle | None = None
        """The driver's event; None before `reserve`."""
        self.stream: Handle | None = None
        """The stream of the command; None while the command waits for the host."""
        self.failure: DovetailError | None = None
        """Why the command could not be passed to the driver."""
        self.is_over = False
        """Whether it is known to be complete."""

    def reserve(self) -> None:
        """Get an event of the driver; to be called before the command, since it may fail."""
        self.handle = self.context.take_event(timing=self.is_timed)

    def record(self, stream: Handle) -> None:
        """Complete this event when all commands of the stream so far have."""
        (status,) = self.context.driver.function("cuEventRecord")(self.handle, stream)
        if status:
            raise self.context.failed(self.context.driver.error("cuEventRecord", status))
        self.stream = stream

    @property
    def is_submitted(self) -> bool:
        """Whether the driver has the command, or never gets it."""
        return self.stream is not None or self.failure is not None

    @property
    def is_done(self) -> bool:
        """Whether the command has completed or failed."""
        if self.is_over or self.failure is not None or self.context.is_lost:
            return True
        if self.stream is None:
            return False
        self.context.enter()
        (status,) = self.context.driver.function("cuEventQuery")(self.handle)
        if status == NOT_READY:
            return False
        if status == SUCCESS:
            self.is_over = True
        else:
            # Recorded in the context; a wait raises it.
            self.context.failed(self.context.driver.error("cuEventQuery", status))
        return True

    def __del__(self) -> None:
        if self.handle is not None and not self.context.is_lost:
            self.context.return_event(self.handle, timing=self.is_timed)


class TimedEvent(CudaEvent):
    """The completion of a command whose times are measured."""

    __slots__ = ("reference", "start", "submitted")

    is_timed = True

    def __init__(self, context: CudaContext, kernel: str = "") -> None:
        super().__init__(context, kernel)
        self.submitted = 0
        """When the command was submitted, in nanoseconds of the host's clock."""
        self.start: TimedEvent | None = None
        """Recorded before the command."""
        self.reference: ClockReference | None = None
        """What `start` is compared with."""


class CudaGate:
    """An event that the host completes.

    The driver knows nothing of gates: commands that wait for one stay in `Deferrals` until then.
    """

    __slots__ = ("_on_open", "is_open")

    def __init__(self, on_open: Callable[[], None]) -> None:
        self.is_open = False
        self._on_open = on_open

    @property
    def event(self) -> "CudaGate":
        return self

    def open(self) -> None:
        self.is_open = True
        self._on_open()
