"""Accessing device globals in built code, through the accessor kernel of their image.

It copies bytes between memory and a variable, one work-item per byte.
"""

from collections.abc import Sequence
from ctypes import addressof, c_uint64
from dataclasses import dataclass
from struct import pack
from typing import TYPE_CHECKING

from dovetail.runtime.backend import (
    BackendAllocation,
    BackendProgram,
    BackendQueue,
    MemoryKind,
    NativeEvent,
)
from dovetail.runtime.device import Device
from dovetail.runtime.global_memory import ImageGlobals

if TYPE_CHECKING:
    from dovetail.image import ManagedGlobal

_ADDRESS_SIZE = 8


@dataclass(frozen=True)
class VariableSpan:
    """A range of bytes in a variable of an image."""

    offset: int
    size: int
    length: int
    """Bytes in each contiguous block."""
    stride: int
    """Bytes between the beginnings of two blocks."""


@dataclass(frozen=True)
class DeviceGlobalAccessor:
    """The accessor kernel of one image, built for a device."""

    program: BackendProgram
    symbol: str

    def start(
        self,
        queue: BackendQueue,
        number: int,
        span: VariableSpan,
        memory: BackendAllocation,
        *,
        writes: bool,
        after: Sequence[NativeEvent] = (),
    ) -> NativeEvent:
        """Start a copy between variable `number` and memory that the device can access.

        With `writes`, the bytes are copied to the variable, otherwise from it.
        """
        # Launches do not share kernel objects.
        kernel = self.program.kernel(self.symbol, follows_pointers=False)
        kernel.set_pointer(0, memory.argument)
        kernel.set_bytes(1, pack("=I", number))
        for index, value in enumerate((span.offset, span.length, span.stride), start=2):
            kernel.set_bytes(index, pack("=Q", value))
        kernel.set_bytes(5, pack("=I", int(writes)))
        return queue.launch(kernel, (span.size,), None, None, after)


def set_pointers(
    program: BackendProgram, images: Sequence[ImageGlobals], device: Device
) -> list[object]:
    """Set the pointers to the values of device globals, for images linked into one program.

    The result has to live as long as the program.
    """
    queue = device.native.open_queue()
    kept: list[object] = []
    for image in images:
        accessor = DeviceGlobalAccessor(program, image.accessor)
        for variable in image.variables.values():
            if variable.number is not None and not variable.has_image_scope:
                memory = image.memory.of(variable, device)
                _set_pointers(accessor, variable, memory.allocation.address, device, queue)
                kept.append(memory)
    return kept


def _set_pointers(
    accessor: DeviceGlobalAccessor,
    variable: "ManagedGlobal",
    address: int,
    device: Device,
    queue: BackendQueue,
) -> None:
    """Store the addresses of the elements in the variable of an image; wait until it is done."""
    assert variable.number is not None
    addresses = [address + place * variable.size for place in range(variable.count)]
    pointers = (c_uint64 * variable.count)(*addresses)
    size = variable.count * _ADDRESS_SIZE
    staging = device.allocate(MemoryKind.DEVICE, size)
    span = VariableSpan(0, size, _ADDRESS_SIZE, variable.stride)
    queue.copy(staging.address, addressof(pointers), size)
    queue.wait(accessor.start(queue, variable.number, span, staging, writes=True), True)
