"""Programs and kernels in OpenCL."""

from collections.abc import Callable

import pyopencl as cl

from dovetail.errors import DeviceError, ProgramBuildError
from dovetail.runtime.backend import BackendKernel, Durations, PointerArgument
from dovetail.runtime.opencl import api
from dovetail.runtime.opencl.details import kernel_detail


class SvmKernel:
    """A kernel that accepts any host address, set through pyopencl."""

    __slots__ = ("_device", "_set_argument", "_set_buffer", "durations", "handle")

    def __init__(self, handle: cl.Kernel, device: cl.Device) -> None:
        self.handle = handle
        self.durations: Durations = {}
        self._device = device
        self._set_argument = handle.set_arg
        # `set_arg` tries the types of arguments in turn, bytes last, which takes 50 times as long.
        # The function that it calls for bytes is not part of pyopencl's interface.
        quick: Callable[[int, bytes], None] = getattr(handle, "_set_arg_buf", handle.set_arg)
        self._set_buffer = quick

    @property
    def largest_group(self) -> int:
        return self.detail("work_group_size")

    def detail(self, name: str) -> int:
        return kernel_detail(self.handle, self._device, name)

    def set_bytes(self, index: int, data: bytes, /) -> None:
        try:
            self._set_buffer(index, data)
        except cl.Error as error:
            raise _argument_error(self.handle, index, error) from None

    def set_local(self, index: int, size: int, /) -> None:
        try:
            # pyopencl accepts it, unlike its type annotations.
            self._set_argument(index, cl.LocalMemory(size))  # pyright: ignore[reportArgumentType]
        except cl.Error as error:
            raise _argument_error(self.handle, index, error) from None

    def set_pointer(self, index: int, pointer: PointerArgument, /) -> None:
        try:
            self._set_argument(index, pointer)
        except cl.Error as error:
            raise _argument_error(self.handle, index, error) from None


class UsmKernel(SvmKernel):
    """A kernel that accepts addresses of USM allocations, set through the extension."""

    __slots__ = ("_address", "_memory")

    def __init__(self, handle: cl.Kernel, device: cl.Device, memory: api.UnifiedMemory) -> None:
        super().__init__(handle, device)
        self._memory = memory
        self._address = handle.int_ptr

    def set_pointer(self, index: int, pointer: PointerArgument, /) -> None:
        self._memory.set_argument(self._address, index, pointer)


class OpenCLProgram:
    """Code built for one device."""

    def __init__(
        self, program: cl.Program, device: cl.Device, pointers: api.UnifiedMemory | None
    ) -> None:
        """`pointers` sets the pointer arguments; without it, they are set as SVM."""
        self._program = program
        self._device = device
        self._pointers = pointers
        self._has_usm = api.UNIFIED_MEMORY_EXTENSION in device.extensions.split()

    def kernel(self, symbol: str, *, follows_pointers: bool, label: str = "") -> BackendKernel:
        # pyopencl's constructor takes longer than the driver: it generates code for calls that are
        # not used here, and caches it in a database.
        kernel, status = api.create_kernel(self._program.int_ptr, symbol)
        if not kernel:
            reason = api.status_name(status)
            raise ProgramBuildError(f"the code has no kernel '{symbol}': {reason}")
        handle = cl.Kernel.from_int_ptr(kernel, retain=False)
        if follows_pointers and self._has_usm:
            api.allow_indirect_access(handle.int_ptr)
        if self._pointers is None:
            return SvmKernel(handle, self._device)
        return UsmKernel(handle, self._device, self._pointers)

    def binary(self) -> bytes:
        """Return the native code, which the same driver loads without compiling it."""
        try:
            # One for each device of the program, which has one.
            (binary,) = self._program.binaries
        except cl.Error as error:
            raise api.status_error("clGetProgramInfo", error.code) from None
        return binary


def _argument_error(kernel: cl.Kernel, index: int, error: cl.Error) -> DeviceError:
    name, reason = kernel.function_name, api.status_name(error.code)
    return DeviceError(f"the driver refused argument {index + 1} of kernel '{name}': {reason}")
