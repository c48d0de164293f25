"""Programs and kernels in CUDA.

The arguments of a kernel are a block of bytes with the layout that the driver reports, and an array
with the address of each; a launch passes the address of that array.
"""

import weakref
from collections.abc import Callable, Sequence
from ctypes import Array, addressof, c_char, c_void_p
from struct import Struct
from typing import Any

from dovetail.errors import DeviceError, DovetailError, ProgramBuildError
from dovetail.runtime.backend import BackendQueue, Durations, PointerArgument, VariableValue
from dovetail.runtime.cuda.api import (
    INVALID_VALUE,
    NOT_FOUND,
    OUT_OF_RESOURCES,
    CudaError,
    Handle,
)
from dovetail.runtime.cuda.context import CudaContext
from dovetail.runtime.cuda.geometry import Grid
from dovetail.runtime.demangle import demangled
from dovetail.runtime.nd_range import RangeError

_ADDRESS = Struct("<Q")
_OFFSET = Struct("<I")

_LOCAL_ALIGNMENT = 128
"""Enough for every type: the size of the largest vector."""

_DEFAULT_LOCAL_MEMORY = 48 * 1024
"""What a function may use, with its own variables; more has to be allowed for each function."""

_DETAILS = {
    "work_group_size": "MAX_THREADS_PER_BLOCK",
    "private_mem_size": "LOCAL_SIZE_BYTES",
    "local_mem_size": "SHARED_SIZE_BYTES",
}
_SUB_GROUP = 32


class CudaKernel:
    """A kernel with its arguments."""

    __slots__ = (
        "_arguments",
        "_block",
        "_context",
        "_launch",
        "_locals",
        "_parameters",
        "_places",
        "_program",
        "_symbol",
        "_view",
        "durations",
        "handle",
        "largest_group",
        "local_memory",
        "name",
    )

    def __init__(
        self, context: CudaContext, program: "CudaProgram", handle: Handle, symbol: str, name: str
    ) -> None:
        self.handle = handle
        self.name = name
        """With quotation marks, for messages."""
        self.durations: Durations = {}
        self.local_memory = 0
        """Bytes of local memory for the arguments."""
        self._context = context
        self._symbol = symbol
        # The function lives as long as its module.
        self._program = program
        self._launch = context.driver.function("cuLaunchKernel")
        self.largest_group = self.detail("work_group_size")
        self._places = _layout(context, handle)
        """Offset and size of each parameter in the block."""
        self._locals: dict[int, int] = {}
        """The size of each argument in local memory, by number."""
        size = max((offset + size for offset, size in self._places), default=0)
        self._block = (c_char * max(size, 1))()
        self._view = memoryview(self._block).cast("B")
        self._arguments = _addresses(self._block, self._places)
        self._parameters = addressof(self._arguments)

    def detail(self, name: str) -> int:
        if name == "preferred_work_group_size_multiple":
            return _SUB_GROUP
        attribute = self._context.driver.function_attribute(_DETAILS[name])
        return int(self._context.call("cuFuncGetAttribute", attribute, self.handle))

    def set_bytes(self, index: int, data: bytes, /) -> None:
        offset, size = self._place(index)
        if len(data) != size:
            raise DeviceError(
                f"argument {index + 1} of kernel {self.name}: expected {size} bytes, got"
                f" {len(data)}"
            )
        self._view[offset : offset + size] = data

    def set_pointer(self, index: int, pointer: PointerArgument, /) -> None:
        self.set_bytes(index, _ADDRESS.pack(pointer))

    def set_local(self, index: int, size: int, /) -> None:
        if self._locals.get(index) == size:
            return
        self._locals[index] = size
        offset = 0
        for number in sorted(self._locals):
            self.set_bytes(number, _OFFSET.pack(offset))
            offset += -(-self._locals[number] // _LOCAL_ALIGNMENT) * _LOCAL_ALIGNMENT
        self.local_memory = offset
        self._program.allow_local_memory(self, self._symbol, offset)

    def start(self, stream: Handle, grid: Grid) -> None:
        """Launch with the current arguments, which the driver copies."""
        (status,) = self._launch(self.handle, *grid, self.local_memory, stream, self._parameters, 0)
        if status:
            raise self._launch_error(status, grid)

    def with_own_arguments(self) -> "CudaKernel":
        """Return a copy that owns its argument values, for a launch that starts later."""
        copy = object.__new__(CudaKernel)
        for name in self.__slots__:
            setattr(copy, name, getattr(self, name))
        copy._block = type(self._block).from_buffer_copy(self._block)
        copy._view = memoryview(copy._block).cast("B")
        copy._arguments = _addresses(copy._block, self._places)
        copy._parameters = addressof(copy._arguments)
        return copy

    def _place(self, index: int) -> tuple[int, int]:
        try:
            return self._places[index]
        except IndexError:
            raise DeviceError(
                f"kernel {self.name} has {len(self._places)} parameters in its code;"
                f" argument {index + 1} cannot be set"
            ) from None

    def _launch_error(self, status: int, grid: Grid) -> DovetailError:
        error = self._context.driver.error("cuLaunchKernel", status)
        x, y, z = grid[3:]
        items = x * y * z
        if error.status in (INVALID_VALUE, OUT_OF_RESOURCES) and items > self.largest_group:
            return RangeError(
                f"kernel {self.name}: work-groups of {items} work-items need more registers than"
                f" '{self._context.name}' has ({error.status_name})",
                hint=f"use work-groups of up to {self.largest_group} work-items",
            )
        if error.status == OUT_OF_RESOURCES:
            return DeviceError(
                f"kernel {self.name} needs more resources than '{self._context.name}' has,"
                f" with {items} work-items per work-group and {self.local_memory} bytes of local"
                f" memory for its arguments ({error.status_name})",
                hint="use smaller work-groups or less local memory",
            )
        failure = self._context.failed(error)
        if failure is not error:
            return failure
        return DeviceError(f"kernel {self.name} could not be started: {error.message}")


class CudaProgram:
    """Code loaded into a context."""

    def __init__(self, context: CudaContext, module: Handle, cubin: bytes) -> None:
        self._context = context
        self._module = module
        self._cubin = cubin
        self._most_local: dict[str, int] = {}
        """The bytes of local memory that arguments of each function may use so far."""
        unloading = weakref.finalize(self, context.release, "cuModuleUnload", module)
        # When Python exits, the driver frees everything.
        unloading.atexit = False

    def kernel(self, symbol: str, *, follows_pointers: bool, label: str = "") -> CudaKernel:
        # Kernels can access all memory of the context.
        handle = self._find("cuModuleGetFunction", "kernel", symbol)
        return CudaKernel(self._context, self, handle, symbol, label or f"'{demangled(symbol)}'")

    def variable(self, symbol: str) -> tuple[int, int]:
        """Return address and size of a variable."""
        address, size = map(int, self._find("cuModuleGetGlobal", "variable", symbol))
        return address, size

    def _find(self, function: str, kind: str, symbol: str) -> Any:
        """Return what the driver finds in the code; raise `ProgramBuildError` if it has none."""
        try:
            return self._context.call(function, self._module, symbol.encode())
        except CudaError as error:
            if error.status != NOT_FOUND:
                raise
            raise ProgramBuildError(f"the code has no {kind} '{symbol}'") from None

    def allow_local_memory(self, kernel: CudaKernel, symbol: str, size: int) -> None:
        """Allow a function to use that much local memory for its arguments, for all its kernels."""
        most = self._most_local.get(symbol)
        if most is None:
            most = _DEFAULT_LOCAL_MEMORY - kernel.detail("local_mem_size")
        if size > most:
            attribute = self._context.driver.function_attribute("MAX_DYNAMIC_SHARED_SIZE_BYTES")
            try:
                self._context.call("cuFuncSetAttribute", kernel.handle, attribute, size)
            except CudaError as error:
                raise DeviceError(
                    f"kernel {kernel.name} cannot get {size} bytes of local memory per work-group"
                    f" on '{self._context.name}': {error.status_name}"
                ) from None
            most = size
        self._most_local[symbol] = most

    def binary(self) -> bytes:
        """Return the cubin."""
        return self._cubin


def _layout(context: CudaContext, function: Handle) -> list[tuple[int, int]]:
    """Return offset and size of each parameter."""
    context.enter()
    query = context.driver.function("cuFuncGetParamInfo")
    places: list[tuple[int, int]] = []
    while True:
        status, *place = query(function, len(places))
        if status == INVALID_VALUE:
            # There are no more.
            return places
        if status:
            raise context.failed(context.driver.error("cuFuncGetParamInfo", status))
        offset, size = map(int, place)
        places.append((offset, size))


def _addresses(block: "Array[c_char]", places: list[tuple[int, int]]) -> "Array[c_void_p]":
    begin = addressof(block)
    return (c_void_p * max(len(places), 1))(*(begin + offset for offset, _ in places))


def set_variables(
    program: CudaProgram, values: Sequence[VariableValue], open_queue: Callable[[], BackendQueue]
) -> None:
    """Store values of variables of loaded code, and wait until kernels read them.

    The code of each set of values is loaded separately, so variables do not change afterwards.
    """
    if not values:
        return
    queue = open_queue()
    for symbol, offset, data in values:
        address, size = program.variable(symbol)
        if offset + len(data) > size:
            raise ProgramBuildError(
                f"variable '{symbol}' has {size} bytes in the code, but bytes up to"
                f" {offset + len(data)} are to be set"
            )
        content = (c_char * len(data)).from_buffer_copy(data)
        queue.wait(queue.copy(address + offset, addressof(content), len(data)), True)
