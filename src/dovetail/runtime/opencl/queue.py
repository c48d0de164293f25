"""Queues, events and gates in OpenCL."""

from collections.abc import Callable, Sequence
from time import perf_counter

import pyopencl as cl

from dovetail.errors import DeviceError, DovetailError
from dovetail.runtime.backend import BackendKernel, Times
from dovetail.runtime.interruptible import wait_interruptibly
from dovetail.runtime.nd_range import RangeError
from dovetail.runtime.opencl import api
from dovetail.runtime.opencl.expected_durations import (
    LONGEST_BLOCK_S,
    LONGEST_POLL_S,
    ExpectedDurations,
)
from dovetail.runtime.opencl.poll_policy import MAX_POLLS, PollPolicy

_WRONG_RANGE = {
    cl.status_code.INVALID_WORK_GROUP_SIZE,
    cl.status_code.INVALID_WORK_ITEM_SIZE,
    cl.status_code.INVALID_GLOBAL_WORK_SIZE,
    cl.status_code.INVALID_GLOBAL_OFFSET,
}


# Looked up once, as every launch and every wait uses them.
_enqueue = cl.enqueue_nd_range_kernel
_info_of: Callable[[cl.Event, int], int] = cl.Event.get_info  # pyright: ignore[reportAssignmentType]
_STATUS = cl.event_info.COMMAND_EXECUTION_STATUS
# Negative values are the status that the work failed with.
_COMPLETE = cl.command_execution_status.COMPLETE
_POLLS = range(MAX_POLLS)


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
        self._expected = ExpectedDurations()
        self._poll_policy = PollPolicy()
        # CPU drivers start work without a flush, which would take time.
        self._starts_by_itself = bool(device.type & cl.device_type.CPU)
        # There is no value for an empty set of properties.
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
        expected = self._expected
        if expected.newest is None:
            expected.since = perf_counter()
        durations = kernel.durations
        seconds = durations.get(global_size)
        if seconds is None or after:
            expected.expect_unknown(durations, global_size, after)
        else:
            expected.seconds += seconds
        try:
            event = expected.newest = _enqueue(
                self._queue, kernel.handle, global_size, local_size, offset, after or None
            )
        except cl.Error as error:
            raise _launch_error(error) from None
        return event

    def copy(self, target: int, source: int, size: int, after: Sequence[cl.Event] = ()) -> cl.Event:
        self._expected.expect_transfer(size, after)
        handle = self._usm.copy(self._queue.int_ptr, target, source, size, _handles(after))
        return self._started(handle)

    def fill(
        self, target: int, pattern: bytes, size: int, after: Sequence[cl.Event] = ()
    ) -> cl.Event:
        self._expected.expect_transfer(size, after)
        handle = self._usm.fill(self._queue.int_ptr, target, pattern, size, _handles(after))
        return self._started(handle)

    def _started(self, handle: int) -> cl.Event:
        """Return the event of a started command, and record it as the newest."""
        event = self._expected.newest = cl.Event.from_int_ptr(handle, retain=False)
        return event

    @property
    def _usm(self) -> api.UnifiedMemory:
        if self._memory is None:
            raise DeviceError("the device has no unified shared memory to copy to or from")
        return self._memory

    def marker(self, after: Sequence[cl.Event] = ()) -> cl.Event:
        self._expected.expect_transfer(0, after)
        try:
            event = self._expected.newest = cl.enqueue_barrier(self._queue, after or None)
        except cl.Error as error:
            raise api.status_error("clEnqueueBarrierWithWaitList", error.code) from None
        return event

    def times(self, event: cl.Event, /) -> Times:
        try:
            profile = event.profile
            return Times(profile.queued, profile.submit, profile.start, profile.end)
        except cl.Error as error:
            raise api.status_error("clGetEventProfilingInfo", error.code) from None

    def flush(self) -> None:
        if self._starts_by_itself:
            return
        try:
            self._queue.flush()
        except cl.Error as error:
            raise api.status_error("clFlush", error.code) from None

    def wait(self, event: cl.Event, may_block: bool = False, /) -> None:
        expected = self._expected
        try:
            if expected.seconds < LONGEST_POLL_S and self._poll_policy.polls:
                if not _ends_soon(event):
                    event.wait()
            elif may_block or expected.seconds < LONGEST_BLOCK_S or _status_of(event) <= _COMPLETE:
                event.wait()
            else:
                wait_interruptibly(event.wait)
        except cl.Error as error:
            # The wait does not report the status of the failed work; the event does.
            status = _status_of(event)
            raise _work_error(status if status < 0 else error.code) from None
        if event is expected.newest:
            expected.newest = None
            now = perf_counter()
            seconds = now - expected.since
            self._poll_policy.measured(now)
            if expected.unknown or seconds > LONGEST_BLOCK_S:
                expected.learn(seconds)
            else:
                expected.seconds = 0.0

    def is_done(self, event: cl.Event, /) -> bool:
        if _status_of(event) <= _COMPLETE:
            return True
        # A driver may not start the work before a wait or a flush.
        self.flush()
        return False

    def finish(self) -> None:
        try:
            self._queue.finish()
        except cl.Error as error:
            raise api.status_error("clFinish", error.code) from None


def _ends_soon(event: cl.Event) -> bool:
    """Poll up to `MAX_POLLS` times; return whether the work has ended."""
    for _ in _POLLS:
        status = _info_of(event, _STATUS)
        if status <= _COMPLETE:
            if status != _COMPLETE:
                raise _work_error(status)
            return True
    return False


def _handles(events: Sequence[cl.Event]) -> list[int]:
    return [event.int_ptr for event in events]


def _launch_error(error: cl.Error) -> DovetailError:
    if error.code in _WRONG_RANGE:
        reason = api.status_name(error.code)
        return RangeError(f"the driver refused the range for this kernel: {reason}")
    return api.status_error("clEnqueueNDRangeKernel", error.code)


def _status_of(event: cl.Event) -> int:
    return _info_of(event, _STATUS)


def _work_error(status: int) -> DeviceError:
    reason = api.status_name(status)
    return DeviceError(f"the device failed while it ran a kernel or a copy: {reason}")


class OpenCLGate:
    """A user event, which the host completes."""

    __slots__ = ("event",)

    def __init__(self, context: cl.Context) -> None:
        try:
            self.event = cl.UserEvent(context)
        except cl.Error as error:
            raise api.status_error("clCreateUserEvent", error.code) from None

    def open(self) -> None:
        try:
            self.event.set_status(cl.command_execution_status.COMPLETE)
        except cl.Error as error:
            raise api.status_error("clSetUserEventStatus", error.code) from None
