"""Queues, which submit work to a device, in order."""

from collections import deque
from collections.abc import Iterable
from weakref import finalize

from numpy.typing import DTypeLike

from dovetail.errors import ArgumentError
from dovetail.runtime.device import Device, default_device
from dovetail.runtime.event import Event
from dovetail.runtime.kernel import Kernel
from dovetail.runtime.launch import SINGLE_TASK, Launch
from dovetail.runtime.memory import UsmArray, array_shape, memory_kind, plain_dtype
from dovetail.runtime.nd_range import NdRange, Size


class Queue:
    """An in-order queue of one device; threads may share one.

    What the work uses stays alive until it is done, and Python waits for the work when it exits.
    """

    def __init__(self, device: Device | None = None) -> None:
        if device is not None and not isinstance(device, Device):
            raise ArgumentError(
                f"expected a Device, got {device!r}", hint="dovetail.devices() returns all devices"
            )
        self._device = default_device() if device is None else device
        native = self._device.native.open_queue()
        work = self._device.work
        self.pending = work.new_pending(native)
        """The work in flight."""
        closing = finalize(self, work.close, self.pending)
        # When Python exits, it waits for the work of all queues anyway.
        closing.atexit = False

    @property
    def device(self) -> Device:
        return self._device

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
            raise ArgumentError(f"expected a Kernel, got {kernel!r}", hint="use program['name']")
        idle = kernel.idle.setdefault(self._device, deque())
        return idle, kernel.launch_on(self._device)

    def single_task(self, kernel: Kernel, *arguments: object) -> Event:
        """Run the kernel once."""
        return self.parallel_for(kernel, SINGLE_TASK, *arguments)

    def alloc(self, shape: int | Iterable[int], dtype: DTypeLike, kind: str = "shared") -> UsmArray:
        """Return a new, uninitialized array in `shared`, `device` or `host` memory."""
        sizes, element, where = array_shape(shape), plain_dtype(dtype), memory_kind(kind)
        return UsmArray(self, sizes, element, where)

    def wait(self) -> None:
        """Wait for all work submitted so far; raise the first error that was not reported yet."""
        self.pending.wait()

    def __repr__(self) -> str:
        return f"<Queue on {self._device!r}>"
