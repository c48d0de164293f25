"""Queues and events in OpenCL."""

import pyopencl as cl

from dovetail.errors import ArgumentError, DeviceError, DovetailError
from dovetail.runtime.backend import BackendKernel
from dovetail.runtime.opencl import api

_WRONG_RANGE = {
    cl.status_code.INVALID_WORK_GROUP_SIZE,
    cl.status_code.INVALID_WORK_ITEM_SIZE,
    cl.status_code.INVALID_GLOBAL_WORK_SIZE,
}


class OpenCLQueue:
    """An in-order command queue."""

    def __init__(
        self, context: cl.Context, device: cl.Device, memory: api.UnifiedMemory | None
    ) -> None:
        self._memory = memory
        self._queue = cl.CommandQueue(context, device)

    def launch(
        self,
        kernel: BackendKernel,
        global_size: tuple[int, ...],
        local_size: tuple[int, ...] | None,
        /,
    ) -> cl.Event:
        try:
            return cl.enqueue_nd_range_kernel(self._queue, kernel.handle, global_size, local_size)
        except cl.Error as error:
            raise _launch_error(error) from None

    def copy(self, target: int, source: int, size: int) -> cl.Event:
        if self._memory is None:
            raise DeviceError("the device has no unified shared memory to copy to or from")
        handle = self._memory.copy(self._queue.int_ptr, target, source, size)
        return cl.Event.from_int_ptr(handle, retain=False)

    def wait(self, event: cl.Event, /) -> None:
        try:
            event.wait()
        except cl.Error as error:
            raise _work_error(event, error) from None

    def is_done(self, event: cl.Event, /) -> bool:
        # Negative values are the status that the work failed with.
        if event.command_execution_status <= cl.command_execution_status.COMPLETE:
            return True
        # A driver may sit on work until someone waits; whoever only asks wants it done too.
        self._queue.flush()
        return False

    def finish(self) -> None:
        try:
            self._queue.finish()
        except cl.Error as error:
            raise api.status_error("clFinish", error.code) from None


def _launch_error(error: cl.Error) -> DovetailError:
    if error.code in _WRONG_RANGE:
        reason = api.status_name(error.code)
        return ArgumentError(f"the driver refused the range for this kernel: {reason}")
    return api.status_error("clEnqueueNDRangeKernel", error.code)


def _work_error(event: cl.Event, error: cl.Error) -> DeviceError:
    # Waiting only says that something failed; the event knows with which status.
    status = event.command_execution_status
    reason = api.status_name(status if status < 0 else error.code)
    return DeviceError(f"the device failed while it ran a kernel or a copy: {reason}")
