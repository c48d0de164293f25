"""What the host has to do, as OpenCL's queues see it."""

import pyopencl as cl

from dovetail.runtime.opencl import api


class OpenCLGate:
    """A user event."""

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
