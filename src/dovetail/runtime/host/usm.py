"""USM allocations of host code, by address."""

from bisect import bisect_right, insort
from dataclasses import dataclass
from threading import Lock

from dovetail.runtime.backend import BackendAllocation, DeviceOutOfMemory
from dovetail.runtime.device import Device
from dovetail.runtime.host.errc import Errc, HostError
from dovetail.runtime.host.structures import MEMORY_KINDS, UsmKind

_ASPECTS = {
    UsmKind.HOST: "usm_host_allocations",
    UsmKind.DEVICE: "usm_device_allocations",
    UsmKind.SHARED: "usm_shared_allocations",
}

# The maximum alignment that drivers support: the size of the largest vector.
_DRIVERS_ALIGNMENT = 128


@dataclass(frozen=True)
class UsmBlock:
    """An allocation; it may begin before `address` for a larger alignment than the driver's."""

    address: int
    size: int
    kind: UsmKind
    device: Device
    allocation: BackendAllocation


class UsmBlocks:
    """All USM allocations of host code, by address."""

    def __init__(self) -> None:
        self._blocks: dict[int, UsmBlock] = {}
        self._addresses: list[int] = []
        """In ascending order."""
        self._lock = Lock()

    def allocate(self, device: Device, kind: UsmKind, size: int, alignment: int) -> int:
        """Allocate memory and return its address; 0 if memory or that alignment is unavailable."""
        if not device.has(_ASPECTS[kind]):
            raise HostError(
                Errc.FEATURE_NOT_SUPPORTED,
                f"'{device.name}' does not support USM allocations of kind '{MEMORY_KINDS[kind]}'",
            )
        if alignment & (alignment - 1):
            return 0
        try:
            block = _allocate(device, kind, size, alignment)
        except DeviceOutOfMemory:
            return 0
        with self._lock:
            self._blocks[block.address] = block
            insort(self._addresses, block.address)
        return block.address

    def free(self, address: int) -> None:
        """Free memory after the work now in flight on its device."""
        with self._lock:
            block = self._blocks.pop(address, None)
            if block is not None:
                del self._addresses[bisect_right(self._addresses, address) - 1]
        if block is None:
            raise HostError(
                Errc.INVALID,
                f"{address:#x} is not the address of a USM allocation, or was already freed",
            )
        block.device.work.hold(block.allocation)

    def find(self, address: int) -> UsmBlock | None:
        """Return the allocation that contains an address, or None."""
        with self._lock:
            place = bisect_right(self._addresses, address) - 1
            block = self._blocks[self._addresses[place]] if place >= 0 else None
        if block is None or address >= block.address + block.size:
            return None
        return block


def _allocate(device: Device, kind: UsmKind, size: int, alignment: int) -> UsmBlock:
    """Allocate at least one byte, with the alignment, which drivers may not support."""
    # Drivers do not allocate 0 bytes, and SYCL requires a unique address.
    size = max(size, 1)
    if alignment <= _DRIVERS_ALIGNMENT:
        allocation = device.allocate(MEMORY_KINDS[kind], size, alignment)
        return UsmBlock(allocation.address, size, kind, device, allocation)
    allocation = device.allocate(MEMORY_KINDS[kind], size + alignment)
    address = -(-allocation.address // alignment) * alignment
    return UsmBlock(address, size, kind, device, allocation)
