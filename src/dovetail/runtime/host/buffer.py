"""Buffers: content that goes where work needs it.

A buffer has memory in as many places as have used it, at most one for each device and one in the
host's own memory. Some of these places hold the newest content; whoever needs it elsewhere copies
it from one of them. Nothing here waits or locks: `Order` sees to both.
"""

from collections.abc import Iterable
from ctypes import addressof, c_char, memmove
from dataclasses import dataclass
from typing import Protocol

from dovetail.runtime.backend import BackendAllocation, MemoryKind
from dovetail.runtime.device import Device
from dovetail.runtime.host.errc import Errc, HostError
from dovetail.runtime.host.queue import Queue, Work
from dovetail.runtime.host.structures import Access

# Enough for every vector type.
_ALIGNMENT = 128


class _Memory(Protocol):
    @property
    def address(self) -> int: ...


@dataclass(frozen=True)
class _UsersMemory:
    """What the user gave as a buffer's first content; it is only read."""

    address: int


class _HostMemory:
    """Memory of the host's own."""

    def __init__(self, size: int) -> None:
        self._bytes = (c_char * (size + _ALIGNMENT))()
        self.address = -(-addressof(self._bytes) // _ALIGNMENT) * _ALIGNMENT


class Buffer:
    """One buffer's content and the work that uses it."""

    def __init__(self, size: int, initial: int, *, copy_now: bool) -> None:
        """`initial` is the address of the first content, or 0 if there is none."""
        if not size:
            raise HostError(Errc.INVALID, "a buffer must have a size")
        self.size = size
        self._on_device: dict[Device, BackendAllocation] = {}
        self._on_host: _HostMemory | None = None
        self._newest: list[_Memory] = []
        """The places with the newest content; none if it is undefined."""
        self._writer: Work | None = None
        self._readers: dict[Queue, Work] = {}
        """The last work of each queue that has read since the writer."""
        if initial:
            self._newest = [_UsersMemory(initial)]
            if copy_now:
                self.on_host(Access.WRITE)

    def conflicts(self, access: Access) -> Iterable[Work]:
        """The work that has to be done before the buffer can be used so."""
        if self._writer is not None:
            yield self._writer
        if access & Access.WRITE:
            yield from self._readers.values()

    def on_device(self, device: Device, access: Access) -> BackendAllocation:
        """Its memory on a device, with the newest content unless that is not needed.

        What conflicts must be done, or about to be done before on the same device.
        """
        memory = self._on_device.get(device)
        if memory is None:
            memory = self._on_device[device] = device.native.allocate(_kind(device), self.size)
        if not access & Access.NO_INIT:
            self._update(memory)
        return memory

    def on_host(self, access: Access) -> int:
        """The address of the newest content, where the host can use it so; conflicts are done."""
        memory: _Memory | None = self._newest[0] if self._newest else None
        if memory is None or (access & Access.WRITE and isinstance(memory, _UsersMemory)):
            if self._on_host is None:
                self._on_host = _HostMemory(self.size)
            memory = self._on_host
            self._update(memory)
        if access & Access.WRITE:
            self._newest = [memory]
        return memory.address

    def copy_to(self, address: int) -> None:
        """Copy the newest content, if there is any, to the host's memory."""
        if self._newest and self._newest[0].address != address:
            memmove(address, self._newest[0].address, self.size)

    def used_by(self, work: Work, access: Access) -> None:
        """Note work that was started and uses the buffer."""
        if not access & Access.WRITE:
            self._readers[work.owner] = work
            return
        self._writer = work
        self._readers = {}
        self._newest = [self._on_device[work.owner.device]]

    def _update(self, memory: _Memory) -> None:
        if self._newest and memory not in self._newest:
            memmove(memory.address, self._newest[0].address, self.size)
            self._newest.append(memory)


def _kind(device: Device) -> MemoryKind:
    """Memory that the host reaches too, so that it can carry content from place to place."""
    return MemoryKind.SHARED if device.has("usm_shared_allocations") else MemoryKind.HOST
