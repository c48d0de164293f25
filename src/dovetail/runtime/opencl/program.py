"""Programs and kernels in OpenCL."""

from typing import Any

import pyopencl as cl

from dovetail.errors import ArgumentError, DeviceError, ProgramBuildError
from dovetail.runtime.backend import PointerArgument
from dovetail.runtime.opencl import api
from dovetail.runtime.opencl.api import UnifiedMemory


class SvmKernel:
    """A kernel of a device that shares the host's memory: arguments go through pyopencl."""

    __slots__ = ("_set_argument", "handle")

    def __init__(self, handle: cl.Kernel) -> None:
        self.handle = handle
        self._set_argument = handle.set_arg

    def set_bytes(self, index: int, data: bytes, /) -> None:
        try:
            self._set_argument(index, data)
        except cl.Error as error:
            raise _argument_error(self.handle, index, error) from None

    def set_pointer(self, index: int, pointer: PointerArgument, /) -> None:
        try:
            self._set_argument(index, pointer)
        except cl.Error as error:
            raise _argument_error(self.handle, index, error) from None
