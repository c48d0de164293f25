"""Events of queues with profiling, which read the times of their kernels once these are done."""

from collections.abc import Callable
from typing import NamedTuple

from dovetail.errors import DeviceError
from dovetail.kernel_info import KernelInfo
from dovetail.runtime.backend import NativeEvent
from dovetail.runtime.event import Event


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


listeners: list[Callable[[KernelInfo, EventProfile], None]] = []
"""Called once for each launch with times, when it is found done."""


class ProfiledEvent(Event):
    """A launch on a queue with profiling."""

    __slots__ = ("_times",)

    def __init__(self) -> None:
        self._times: EventProfile | None = None

    @property
    def profile(self) -> EventProfile:
        self.wait()
        if self._times is None:
            raise DeviceError("the driver has no times of the kernel")
        return self._times

    def settle(self) -> None:
        natives = self.natives
        super().settle()
        if not natives or self.kernel is None or self.failure is not None:
            return
        with self.pending.lock:
            # Another thread may have done this meanwhile.
            if self._times is None:
                # The first command is the kernel; copies to the host follow.
                self._measure(self.kernel, natives[0])

    def _measure(self, kernel: KernelInfo, launch: NativeEvent) -> None:
        times = self.queue.times(launch)
        self._times = EventProfile(times.queued, times.submit, times.start, times.end)
        for listener in tuple(listeners):
            listener(kernel, self._times)
