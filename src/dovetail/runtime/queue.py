"""Queues, which submit work to a device, in order."""

from collections import deque
from collections.abc import Iterable
from threading import RLock
from typing import Self
from weakref import WeakSet, finalize

from numpy.typing import DTypeLike

from dovetail.errors import ArgumentTypeError, DeviceError
from dovetail.runtime.backend import BackendQueue, MemoryKind, MemoryKindName
from dovetail.runtime.device import Device, default_device
from dovetail.runtime.event import Event
from dovetail.runtime.kernel import Kernel
from dovetail.runtime.launch import SINGLE_TASK, Launch
from dovetail.runtime.memory import UsmArray, array_shape, memory_kind, plain_dtype
from dovetail.runtime.nd_range import NdRange, Size

_queues: "WeakSet[Queue]" = WeakSet()
# Reentrant: a finalizer may create a queue.
_registry = RLock()
_measuring = 0
"""How many callers of `measure_all` have not called `stop_measuring_all`."""
_measured: "set[Queue]" = set()
"""The queues that existed since the first of these calls, which dropped queues are part of."""


class Queue:
    """An in-order queue of one device; threads may share one.

    >>> with Queue() as queue:
    ...     event = queue.parallel_for(program["scale"], NdRange(4), 2, values)

    What the work uses stays alive until it is done, and Python waits for the work when it exits.
    """

    def __init__(self, device: Device | None = None, *, profiling: bool = False) -> None:
        """Open a queue on a device, by default the first of `devices()`.

        With `profiling`, `Event.profile` tells when kernels started and ended.
        """
        if device is not None and not isinstance(device, Device):
            raise ArgumentTypeError(
                f"expected a Device, got {device!r}", hint="dovetail.devices() returns all devices"
            )
        self._device = default_device() if device is None else device
        self._profiling = profiling
        if profiling:
            self._check_profiling()
        self._native = self._device.native.open_queue(profiling=profiling)
        work = self._device.work
        self.pending = work.new_pending(self._native)
        """The work in flight."""
        closing = finalize(self, work.close, self.pending)
        # When Python exits, it waits for the work of all queues anyway.
        closing.atexit = False
        if profiling:
            self._measure_in(self._native)
        with _registry:
            _queues.add(self)
            measured = bool(_measuring)
            if measured:
                _measured.add(self)
        if measured:
            self.measure()

    @property
    def device(self) -> Device:
        return self._device

    @property
    def profiling(self) -> bool:
        """Whether events have times: `Event.profile`."""
        return self._profiling

    def parallel_for(self, kernel: Kernel, nd_range: NdRange | Size, *arguments: object) -> Event:
        """Run the kernel once for each work-item of the range."""
        # Removed during the launch: other threads, signal handlers and finalizers may launch the
        # same kernel meanwhile, and must use another prepared launch.
        try:
            idle = kernel.idle[self._device]
            launch = idle.popleft()
        except (AttributeError, KeyError, IndexError):
            idle, launch = self._new_launch(kernel)
        try:
            return launch.start(self.pending, nd_range, arguments)
        finally:
            idle.append(launch)

    def _new_launch(self, kernel: Kernel) -> tuple[deque[Launch], Launch]:
        """Return a new launch of a kernel, and the list for its reuse."""
        if not isinstance(kernel, Kernel):
            raise ArgumentTypeError(
                f"expected a Kernel, got {kernel!r}", hint="use program['name']"
            )
        idle = kernel.idle.setdefault(self._device, deque())
        return idle, kernel.launch_on(self._device)

    def single_task(self, kernel: Kernel, *arguments: object) -> Event:
        """Run the kernel once."""
        return self.parallel_for(kernel, SINGLE_TASK, *arguments)

    def alloc(
        self,
        shape: int | Iterable[int],
        dtype: DTypeLike,
        kind: MemoryKind | MemoryKindName = "shared",
    ) -> UsmArray:
        """Return a new, uninitialized array in `shared`, `device` or `host` memory."""
        sizes, element, where = array_shape(shape), plain_dtype(dtype), memory_kind(kind)
        return UsmArray(self, sizes, element, where)

    def wait(self) -> None:
        """Wait for all work submitted so far; raise the first error that was not reported yet."""
        self.pending.wait()

    def measure(self) -> None:
        """Wait for all work, and measure later launches, also without profiling."""
        self.pending.settle()
        # A lost device runs nothing that could be measured.
        if self.pending.event_type is Event and not self._device.native.is_lost:
            self._check_profiling()
            self._measure_in(self._device.native.open_queue(profiling=True))

    def stop_measuring(self) -> None:
        """Measure no later launches, unless the queue has profiling; all work must be done."""
        if not self._profiling:
            self.pending.queue, self.pending.event_type = self._native, Event

    def _measure_in(self, native: BackendQueue) -> None:
        """Submit launches to a driver's queue with profiling, and read their times."""
        # Imported late: few programs measure.
        from dovetail.runtime.profiled_event import ProfiledEvent

        self.pending.queue, self.pending.event_type = native, ProfiledEvent

    def _check_profiling(self) -> None:
        if "queue_profiling" not in self._device.native.description.aspects:
            raise DeviceError(f"'{self._device.name}' does not measure the times of kernels")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: object
    ) -> None:
        """Wait for all work; an error of the block is raised rather than one of the work."""
        if kind is None:
            self.wait()
        elif issubclass(kind, Exception):
            self.pending.settle()

    def __dir__(self) -> list[str]:
        # The others are for the runtime itself.
        return ["alloc", "device", "parallel_for", "profiling", "single_task", "wait"]

    def __repr__(self) -> str:
        return f"<Queue on {self._device!r}>"


def measure_all() -> None:
    """Wait for the work of all queues; later launches are measured, also those of new queues."""
    global _measuring
    with _registry:
        _measuring += 1
        _measured.update(_queues)
        queues = tuple(_measured)
    for queue in queues:
        queue.measure()


def stop_measuring_all() -> None:
    """Wait for the work of all measured queues, and undo one call of `measure_all`."""
    global _measuring
    with _registry:
        _measuring -= 1
        is_last = not _measuring
        queues = tuple(_measured)
        if is_last:
            _measured.clear()
    for queue in queues:
        queue.pending.settle()
        if is_last:
            queue.stop_measuring()
