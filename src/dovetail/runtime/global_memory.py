"""The memory of a program's device globals on each device."""

from collections.abc import Mapping
from ctypes import addressof, c_char
from dataclasses import dataclass
from threading import RLock
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from dovetail.runtime.backend import BackendDevice, MemoryKind
from dovetail.runtime.device import Device

if TYPE_CHECKING:
    from dovetail.image import ManagedGlobal
    from dovetail.runtime.memory import UsmMemory


class GlobalMemory:
    """The memory of a program's device globals, which all of its images share.

    It is allocated on first use on a device, and freed with the program.
    """

    def __init__(self) -> None:
        self._of_device: WeakKeyDictionary[BackendDevice, dict[str, UsmMemory]] = (
            WeakKeyDictionary()
        )
        # Reentrant: a signal handler may call `of` while its thread is in it.
        self._lock = RLock()

    def of(self, variable: "ManagedGlobal", device: Device) -> "UsmMemory":
        """Return the memory of a variable, which the first call allocates and initializes."""
        with self._lock:
            on_device = self._of_device.setdefault(device.native, {})
            memory = on_device.get(variable.identifier)
            if memory is None:
                memory = on_device[variable.identifier] = _allocated(variable, device)
        return memory


def _allocated(variable: "ManagedGlobal", device: Device) -> "UsmMemory":
    """Allocate memory for a variable, and wait until it has the initial values."""
    # Imported late: most programs have no device globals.
    from dovetail.runtime.memory import UsmMemory

    memory = UsmMemory(device.allocate(MemoryKind.DEVICE, variable.total), device.work)
    address, queue = memory.allocation.address, device.native.open_queue()
    if variable.initial:
        values = (c_char * variable.total).from_buffer_copy(variable.initial)
        queue.wait(queue.copy(address, addressof(values), variable.total), True)
    else:
        queue.wait(queue.fill(address, b"\0", variable.total), True)
    return memory


@dataclass(frozen=True)
class ImageGlobals:
    """The device globals of one image; does not keep the program loaded."""

    accessor: str
    """The symbol of the accessor kernel; empty if the image has none."""
    variables: "Mapping[str, ManagedGlobal]"
    """By identifier."""
    memory: GlobalMemory
    order: int
    """The number of the image's program."""
