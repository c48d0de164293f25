"""Buffers: content that goes where work needs it.

A buffer has memory in as many places as have used it, at most one for each device and one in the
host's own memory. Some of these places hold the newest content, or will once something is over;
whoever needs it elsewhere moves it from one of them. Nothing here waits or locks: `Order` sees to
both.
"""

from collections.abc import Iterator
from ctypes import addressof, c_char, memmove
from dataclasses import dataclass
from typing import Protocol

from dovetail.runtime.backend import BackendAllocation, DeviceOutOfMemory, MemoryKind
from dovetail.runtime.device import Device
from dovetail.runtime.host.before import Dependency, latch_of
from dovetail.runtime.host.errc import Errc, HostError
from dovetail.runtime.host.latch import Latch
from dovetail.runtime.host.queue import QueueWork
from dovetail.runtime.host.structures import Access

# Enough for every vector type.
_ALIGNMENT = 128
# How many readers there are, besides twice as many as were left, when it is time to look again.
_MIN_READERS = 16


class Memory(Protocol):
    """One place where content can be; the host reaches it."""

    @property
    def address(self) -> int: ...


@dataclass(frozen=True)
class _UsersMemory:
    """What the user gave as a buffer's first content; it is only read."""

    address: int


class _HostMemory:
    """Memory of the host's own."""

    def __init__(self, size: int) -> None:
        try:
            self._bytes = (c_char * (size + _ALIGNMENT))()
        except (MemoryError, OverflowError):
            raise DeviceOutOfMemory(
                f"the host has no {size} bytes for a buffer's content"
            ) from None
        self.address = -(-addressof(self._bytes) // _ALIGNMENT) * _ALIGNMENT


@dataclass(frozen=True)
class Move:
    """Content that has to get from one place to another."""

    target: Memory
    source: Memory
    size: int

    def make(self) -> None:
        """Move it now."""
        memmove(self.target.address, self.source.address, self.size)


@dataclass(frozen=True)
class HostPlace:
    """Where the host can use the content, and how it gets there."""

    memory: Memory
    move: Move | None


class Buffer:
    """One buffer's content and the work that uses it."""

    def __init__(self, size: int, initial: int, *, copy_now: bool) -> None:
        """`initial` is the address of the first content, or 0 if there is none."""
        if not size:
            raise HostError(Errc.INVALID, "a buffer must have a size")
        self.size = size
        self.home = 0
        """The address of the user's memory that the content goes back to; 0 if it does not."""
        self._on_device: dict[Device, BackendAllocation] = {}
        self._on_host: _HostMemory | None = None
        self._newest: dict[Memory, Dependency | None] = {}
        """The places with the newest content, and what has to be over before it is there."""
        self._writer: Dependency | None = None
        self._readers: dict[object, Dependency] = {}
        """What has read since the writer: the last work of each lane, and each of the host's."""
        self._sweep_at = _MIN_READERS
        self._host_accesses: dict[Latch, Access] = {}
        """What host code holds with accessors of its own."""
        if initial:
            self._newest = {_UsersMemory(initial): None}
            if copy_now:
                self._copy_now()

    def _copy_now(self) -> None:
        place = self.on_host(Access.WRITE)
        if place.move is not None:
            place.move.make()
        self._newest = {place.memory: None}

    # What has to be over before the buffer can be used.

    def commands(self, access: Access) -> Iterator[Dependency]:
        """The conflicting work."""
        if self._writer is not None:
            yield self._writer
        if access & Access.WRITE:
            yield from self._readers.values()

    def before(self, access: Access) -> Iterator[Dependency]:
        """The conflicting work, and what host code holds."""
        yield from self.commands(access)
        for latch, held in self._host_accesses.items():
            if (held | access) & Access.WRITE:
                yield latch

    def arrival(self, memory: Memory) -> Iterator[Dependency]:
        """What has to be over before the newest content is there."""
        arrival = self._newest.get(memory)
        if arrival is not None:
            yield arrival

    # Places.

    def lacks_memory(self, device: Device) -> bool:
        return device not in self._on_device

    def allocate(self, device: Device) -> BackendAllocation:
        """Memory for `adopt`; this may wait for the device."""
        return device.allocate(_kind(device), self.size)

    def adopt(self, device: Device, memory: BackendAllocation) -> None:
        """Have memory on a device, unless another thread was quicker."""
        self._on_device.setdefault(device, memory)

    def on_device(self, device: Device) -> BackendAllocation:
        """Its memory on a device, which it must have."""
        return self._on_device[device]

    def move_to(self, memory: Memory) -> Move | None:
        """How the newest content gets there; None if it is there, or there is none."""
        if not self._newest or memory in self._newest:
            return None
        return Move(memory, self._source(), self.size)

    def on_host(self, access: Access) -> HostPlace:
        """Where the host can use the newest content so."""
        memory = self._source() if self._newest else None
        if memory is not None and not (access & Access.WRITE and isinstance(memory, _UsersMemory)):
            return HostPlace(memory, None)
        if self._on_host is None:
            self._on_host = _HostMemory(self.size)
        is_needed = not access & Access.NO_INIT
        return HostPlace(self._on_host, self.move_to(self._on_host) if is_needed else None)

    def _source(self) -> Memory:
        """A place with the newest content: now, if there is one."""
        newest = self._newest.items()
        now = (place for place, arrival in newest if arrival is None or arrival.done)
        return next(now, next(iter(self._newest)))

    # Use.

    def arrives(self, memory: Memory, arrival: Dependency | None) -> None:
        """Note another place with the newest content, and when it will be there."""
        self._newest[memory] = arrival

    def used_by(self, user: Dependency, access: Access, memory: Memory) -> None:
        """Note what uses the buffer, and where."""
        if access & Access.WRITE:
            self._writer = user
            self._readers = {}
            self._newest = {memory: user}
            return
        self._readers[_lane(user)] = user
        if len(self._readers) > self._sweep_at:
            self._readers = {key: each for key, each in self._readers.items() if not each.done}
            self._sweep_at = _MIN_READERS + 2 * len(self._readers)

    def begin_host_access(self, latch: Latch, access: Access, place: HostPlace) -> Latch | None:
        """Note that host code uses the content until the latch is open.

        Gives a latch to open when the content has been moved there, if it has to be.
        """
        self._host_accesses[latch] = access
        arrival = None if place.move is None else Latch()
        if access & Access.WRITE:
            self._newest = {place.memory: arrival}
        return arrival

    def end_host_access(self, access: Access) -> Latch | None:
        """The latch of one such access, forgotten; None if there is none.

        Which one does not matter: work that waits for one of several waits for all of them.
        """
        latch = next((key for key, held in self._host_accesses.items() if held == access), None)
        if latch is not None:
            del self._host_accesses[latch]
        return latch


def _lane(user: Dependency) -> object:
    """Those that have the same are over in the order in which they came."""
    return user.queue if isinstance(user, QueueWork) and latch_of(user) is None else user


def _kind(device: Device) -> MemoryKind:
    """Memory that the host reaches too, so that it can carry content from place to place."""
    return MemoryKind.SHARED if device.has("usm_shared_allocations") else MemoryKind.HOST
