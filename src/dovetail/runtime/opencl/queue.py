"""Queues and events in OpenCL."""

from collections.abc import Callable, Sequence
from typing import cast

import pyopencl as cl

from dovetail.errors import DeviceError, DovetailError
from dovetail.runtime.backend import BackendKernel, Times
from dovetail.runtime.interruptible import wait_interruptibly, waits_elsewhere
from dovetail.runtime.nd_range import RangeError
from dovetail.runtime.opencl import api

_WRONG_RANGE = {
    cl.status_code.INVALID_WORK_GROUP_SIZE,
    cl.status_code.INVALID_WORK_ITEM_SIZE,
    cl.status_code.INVALID_GLOBAL_WORK_SIZE,
    cl.status_code.INVALID_GLOBAL_OFFSET,
}


# Looked up once, as every launch and every wait uses them.
_enqueue = cl.enqueue_nd_range_kernel
_STATUS = cl.event_info.COMMAND_EXECUTION_STATUS
# Negative values are the status that the work failed with.
_COMPLETE = cl.command_execution_status.COMPLETE
_FEW_TIMES = range(50)
"""Which take about 10 microseconds."""
_A_WHILE = 15
"""Waits."""


class OpenCLQueue:
    """An in-order command queue."""

    def __init__(
        self,
        context: cl.Context,
        device: cl.Device,
        memory: api.UnifiedMemory | None,
        *,
        profiling: bool = False,
    ) -> None:
        self._memory = memory
        self._impatient = 0
        """How many waits are not to ask first."""
        self._is_flushed = True
        """Whether the driver was told to begin with all work; set to False after more was given,
        to True before it is told, so that no thread takes another's work for begun."""
        # There is no value for no properties.
        properties = (cl.command_queue_properties.PROFILING_ENABLE,) if profiling else ()
        try:
            self._queue = cl.CommandQueue(context, device, *properties)
        except cl.Error as error:
            raise api.status_error("clCreateCommandQueue", error.code) from None

    def launch(
        self,
        kernel: BackendKernel,
        global_size: tuple[int, ...],
        local_size: tuple[int, ...] | None,
        offset: tuple[int, ...] | None = None,
        after: Sequence[cl.Event] = (),
        /,
    ) -> cl.Event:
        try:
            event = _enqueue(
                self._queue, kernel.handle, global_size, local_size, offset, after or None
            )
        except cl.Error as error:
            raise _launch_error(error) from None
        self._is_flushed = False
        return event

    def copy(self, target: int, source: int, size: int, after: Sequence[cl.Event] = ()) -> cl.Event:
        handle = self._usm.copy(self._queue.int_ptr, target, source, size, _handles(after))
        self._is_flushed = False
        return cl.Event.from_int_ptr(handle, retain=False)

    def fill(
        self, target: int, pattern: bytes, size: int, after: Sequence[cl.Event] = ()
    ) -> cl.Event:
        handle = self._usm.fill(self._queue.int_ptr, target, pattern, size, _handles(after))
        self._is_flushed = False
        return cl.Event.from_int_ptr(handle, retain=False)

    @property
    def _usm(self) -> api.UnifiedMemory:
        if self._memory is None:
            raise DeviceError("the device has no unified shared memory to copy to or from")
        return self._memory

    def marker(self, after: Sequence[cl.Event] = ()) -> cl.Event:
        try:
            event = cl.enqueue_barrier(self._queue, after or None)
        except cl.Error as error:
            raise api.status_error("clEnqueueBarrierWithWaitList", error.code) from None
        self._is_flushed = False
        return event

    def times(self, event: cl.Event, /) -> Times:
        try:
            profile = event.profile
            return Times(profile.submit, profile.start, profile.end)
        except cl.Error as error:
            raise api.status_error("clGetEventProfilingInfo", error.code) from None

    def flush(self) -> None:
        # Before it is so: another thread's launch may come at any time.
        self._is_flushed = True
        try:
            self._queue.flush()
        except cl.Error as error:
            raise api.status_error("clFlush", error.code) from None

    def wait(self, event: cl.Event, is_quick: bool = False, /) -> None:
        try:
            if self._is_over_soon(event, is_quick):
                return
            # Someone has to wait in the driver: it lends that thread's processor to a CPU device.
            if is_quick:
                event.wait()
            else:
                wait_interruptibly(event.wait)
        except cl.Error as error:
            # Waiting only says that something failed; the event knows with which status.
            status = _status_of(event)
            raise _work_error(status if status < 0 else error.code) from None

    def _is_over_soon(self, event: cl.Event, waits_here: bool) -> bool:
        """Whether the work is done before it has been asked after for long.

        On a machine that has a processor to spare this is quicker than to wait. On one that has
        not, it keeps the driver from its work; so after a failure it is not tried for a while, if
        this thread waits in the driver itself.
        """
        if self._impatient and (waits_here or not waits_elsewhere()):
            self._impatient -= 1
            return False
        if not self._is_flushed:
            self.flush()
        status_of = cast("Callable[[int], int]", event.get_info)
        for _ in _FEW_TIMES:
            status = status_of(_STATUS)
            if status <= _COMPLETE:
                if status != _COMPLETE:
                    raise _work_error(status)
                return True
        self._impatient = _A_WHILE
        return False

    def is_done(self, event: cl.Event, /) -> bool:
        if _status_of(event) <= _COMPLETE:
            return True
        # A driver may sit on work until someone waits; whoever only asks wants it done too.
        self.flush()
        return False

    def finish(self) -> None:
        try:
            self._queue.finish()
        except cl.Error as error:
            raise api.status_error("clFinish", error.code) from None


def _handles(events: Sequence[cl.Event]) -> list[int]:
    return [event.int_ptr for event in events]


def _launch_error(error: cl.Error) -> DovetailError:
    if error.code in _WRONG_RANGE:
        reason = api.status_name(error.code)
        return RangeError(f"the driver refused the range for this kernel: {reason}")
    return api.status_error("clEnqueueNDRangeKernel", error.code)


def _status_of(event: cl.Event) -> int:
    return cast(int, event.get_info(_STATUS))


def _work_error(status: int) -> DeviceError:
    reason = api.status_name(status)
    return DeviceError(f"the device failed while it ran a kernel or a copy: {reason}")
