"""Memory that host code asked for by address."""

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

# What drivers align to at most: the size of the largest vector.
_DRIVERS_ALIGNMENT = 128


@dataclass(frozen=True)
class Block:
    """One allocation. It may begin before `address`, where the driver does not align so far."""

    address: int
    size: int
    kind: UsmKind
    device: Device
    allocation: BackendAllocation


class Blocks:
    """All allocations, by address."""

    def __init__(self) -> None:
        self._blocks: dict[int, Block] = {}
        self._addresses: list[int] = []
        """In ascending order."""
        self._lock = Lock()

    def allocate(self, device: Device, kind: UsmKind, size: int, alignment: int) -> int:
        """The address of new memory; 0 if there is none, or none that is aligned so."""
        if not device.has(_ASPECTS[kind]):
            raise HostError(
                Errc.FEATURE_NOT_SUPPORTED,
                f"'{device.name}' has no USM allocations of kind '{MEMORY_KINDS[kind]}'",
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
        """Give memory back when the work now under way on its device is done."""
        with self._lock:
            block = self._blocks.pop(address, None)
            if block is not None:
                del self._addresses[bisect_right(self._addresses, address) - 1]
        if block is None:
            raise HostError(
                Errc.INVALID,
                f"{address:#x} is no address that USM allocation gave, or it was freed",
            )
        block.device.work.hold(block.allocation)

    def find(self, address: int) -> Block | None:
        """The allocation that the address lies in."""
        with self._lock:
            place = bisect_right(self._addresses, address) - 1
            block = self._blocks[self._addresses[place]] if place >= 0 else None
        if block is None or address >= block.address + block.size:
            return None
        return block


def _allocate(device: Device, kind: UsmKind, size: int, alignment: int) -> Block:
    # Drivers refuse to allocate nothing, and SYCL wants an address that is nobody else's.
    size = max(size, 1)
    if alignment <= _DRIVERS_ALIGNMENT:
        allocation = device.allocate(MEMORY_KINDS[kind], size, alignment)
        return Block(allocation.address, size, kind, device, allocation)
    allocation = device.allocate(MEMORY_KINDS[kind], size + alignment)
    address = -(-allocation.address // alignment) * alignment
    return Block(address, size, kind, device, allocation)
