"""Events of queues with profiling, which read the times of their kernels once these are done."""

from collections.abc import Callable

from dovetail.errors import DeviceError
from dovetail.kernel_info import KernelInfo
from dovetail.runtime.backend import NativeEvent
from dovetail.runtime.event import Event, EventProfile

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
