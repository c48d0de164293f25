"""Buffers and the places of their content.

A buffer has memory on each device that has used it, and in host memory if the host has. Some of
these places contain the newest content, or will after some work; for use elsewhere, it is copied
from one of them. Nothing here waits or locks; `Scheduler` does.
"""

from collections.abc import Iterator
from ctypes import addressof, c_char, memmove
from dataclasses import dataclass
from typing import Protocol

from dovetail.runtime.backend import (
    BackendAllocation,
    DeviceOutOfMemory,
    MemoryKind,
    PointerArgument,
)
from dovetail.runtime.device import Device
from dovetail.runtime.host.dependencies import Dependency, latch_of
from dovetail.runtime.host.errc import Errc, HostError
from dovetail.runtime.host.latch import Latch
from dovetail.runtime.host.queue import QueueWork
from dovetail.runtime.host.structures import Access, BufferSource

# Enough for every vector type.
_ALIGNMENT = 128
# Finished readers are dropped when there are this many, plus twice those left the last time.
_MIN_READERS = 16


class Memory(Protocol):
    """Memory for a buffer's content, which the host can access."""

    @property
    def address(self) -> int: ...


@dataclass(frozen=True)
class _UsersMemory:
    """The user's memory with a buffer's initial content; only host accessors write there."""

    address: int


@dataclass(frozen=True, eq=False)
class _SharedMemory:
    """The user's memory in which a buffer's content stays, for property `use_host_ptr`.

    Devices that reach host memory use it too.
    """

    address: int

    @property
    def argument(self) -> PointerArgument:
        return self.address


class _HostMemory:
    """Host memory that the runtime allocates."""

    def __init__(self, size: int) -> None:
        try:
            self._bytes = (c_char * (size + _ALIGNMENT))()
        except (MemoryError, OverflowError):
            raise DeviceOutOfMemory(
                f"cannot allocate {size} bytes of host memory for a buffer"
            ) from None
        self.address = -(-addressof(self._bytes) // _ALIGNMENT) * _ALIGNMENT


@dataclass(frozen=True)
class Move:
    """A copy of a buffer's content from one place to another."""

    target: Memory
    source: Memory
    size: int

    def make(self) -> None:
        """Copy now, on the host."""
        memmove(self.target.address, self.source.address, self.size)


@dataclass(frozen=True)
class HostPlace:
    """Memory in which the host can access the content, and the copy that it needs first."""

    memory: Memory
    move: Move | None


class Buffer:
    """A buffer: its content and the work that uses it."""

    def __init__(
        self, size: int, initial: int, source: BufferSource = BufferSource.BORROWED
    ) -> None:
        """`initial` is the address of the first content, or 0 if there is none."""
        if not size:
            raise HostError(Errc.INVALID, "expected a buffer of at least 1 byte, got 0")
        self.size = size
        self.home = 0
        """The address of the user's memory for the write-back; 0 if there is none."""
        self._is_borrowed = bool(initial) and source is BufferSource.BORROWED
        self._on_device: dict[Device, BackendAllocation] = {}
        self._on_host: _HostMemory | _SharedMemory | None = None
        self._newest: dict[Memory, Dependency | None] = {}
        """The places of the newest content, each with the dependency after which it is there."""
        self._writer: Dependency | None = None
        self._readers: dict[object, Dependency] = {}
        """Readers since the last writer: of each command queue the last, and each host read."""
        self._sweep_at = _MIN_READERS
        self._host_accesses: dict[Latch, Access] = {}
        """Host accessors that exist, by their latch."""
        if initial and source is BufferSource.IN_PLACE:
            self._on_host = _SharedMemory(initial)
            self._newest = {self._on_host: None}
        elif initial:
            self._newest = {_UsersMemory(initial): None}
            if source is BufferSource.COPIED:
                self._copy_now()

    def _copy_now(self) -> None:
        """Copy the initial content to host memory of the runtime."""
        place = self.on_host(Access.WRITE)
        if place.move is not None:
            place.move.make()
        self._newest = {place.memory: None}

    # Dependencies.

    def commands(self, access: Access) -> Iterator[Dependency]:
        """Yield the work that conflicts with an access."""
        if self._writer is not None:
            yield self._writer
        if access & Access.WRITE:
            yield from self._readers.values()

    def conflicts(self, access: Access) -> Iterator[Dependency]:
        """Yield the work and host accessors that conflict with an access."""
        yield from self.commands(access)
        for latch, held in self._host_accesses.items():
            if (held | access) & Access.WRITE:
                yield latch

    def arrival(self, memory: Memory) -> Iterator[Dependency]:
        """Yield the dependency after which the memory contains the newest content."""
        arrival = self._newest.get(memory)
        if arrival is not None:
            yield arrival

    # Places.

    def lacks_memory(self, device: Device) -> bool:
        return device not in self._on_device

    def allocate(self, device: Device) -> BackendAllocation:
        """Allocate memory for `adopt`, unless the device uses the host's; this may wait for it."""
        if isinstance(self._on_host, _SharedMemory) and device.native.reaches_host_memory:
            return self._on_host
        return device.allocate(_kind(device), self.size)

    def adopt(self, device: Device, memory: BackendAllocation) -> None:
        """Use the memory on a device, unless another thread has set one."""
        self._on_device.setdefault(device, memory)

    def on_device(self, device: Device) -> BackendAllocation:
        """Return its memory on a device; it must exist."""
        return self._on_device[device]

    def move_to(self, memory: Memory) -> Move | None:
        """Return the copy that the memory needs, or None if it has the newest content."""
        if not self._newest or memory in self._newest:
            return None
        return Move(memory, self._source(), self.size)

    def on_host(self, access: Access) -> HostPlace:
        """Return where the host can access the newest content in that mode.

        If necessary, allocate host memory for it.
        """
        memory = self._source() if self._newest else None
        if isinstance(self._on_host, _SharedMemory):
            memory = None
        if memory is not None and not (access & Access.WRITE and isinstance(memory, _UsersMemory)):
            return HostPlace(memory, None)
        if self._on_host is None:
            self._on_host = _HostMemory(self.size)
        is_needed = not access & Access.NO_INIT
        return HostPlace(self._on_host, self.move_to(self._on_host) if is_needed else None)

    def for_host_accessor(self, access: Access) -> HostPlace:
        """Return where a host accessor has the content.

        That is the user's memory, if it is not constant. It belongs to the buffer, and programs
        look there while they have a host accessor.
        """
        if not (self._is_borrowed and self.home):
            return self.on_host(access)
        memory = _UsersMemory(self.home)
        return HostPlace(memory, None if access & Access.NO_INIT else self.move_to(memory))

    def _source(self) -> Memory:
        """Return a place of the newest content, if possible one where it is now."""
        newest = self._newest.items()
        now = (place for place, arrival in newest if arrival is None or arrival.done)
        return next(now, next(iter(self._newest)))

    # Uses.

    def arrives(self, memory: Memory, arrival: Dependency | None) -> None:
        """Record another place of the newest content, which is there after the dependency."""
        self._newest[memory] = arrival

    def used_by(self, user: Dependency, access: Access, memory: Memory) -> None:
        """Record work that uses the buffer, and the memory it uses."""
        if access & Access.WRITE:
            self._writer = user
            self._readers = {}
            self._newest = {memory: user}
            return
        self._readers[_completion_order(user)] = user
        if len(self._readers) > self._sweep_at:
            self._readers = {key: each for key, each in self._readers.items() if not each.done}
            self._sweep_at = _MIN_READERS + 2 * len(self._readers)

    def begin_host_access(self, latch: Latch, access: Access, place: HostPlace) -> Latch | None:
        """Record that host code uses the content until the latch is open.

        Return the latch to open after the content has been copied, if it has to be.
        """
        self._host_accesses[latch] = access
        arrival = None if place.move is None else Latch()
        if access & Access.WRITE:
            self._newest = {place.memory: arrival}
        elif arrival is not None:
            self._newest[place.memory] = arrival
        return arrival

    def end_host_access(self, access: Access) -> Latch | None:
        """Remove one host access of that mode; return its latch, or None if there is none.

        Any one will do: work that waits for one of several waits for all of them.
        """
        latch = next((key for key, held in self._host_accesses.items() if held == access), None)
        if latch is not None:
            del self._host_accesses[latch]
        return latch


def _completion_order(user: Dependency) -> object:
    """Return a key; uses with the same key finish in the order of their submission."""
    return user.queue if isinstance(user, QueueWork) and latch_of(user) is None else user


def _kind(device: Device) -> MemoryKind:
    """Return a kind of memory that the host can access too, so that it can copy the content."""
    return MemoryKind.SHARED if device.has("usm_shared_allocations") else MemoryKind.HOST
