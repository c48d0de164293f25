"""Memory that device and host share by address: SYCL's unified shared memory.

A `UsmArray` and the views made of it own its allocation together. When the last of them lets go,
the memory goes back to the driver as soon as the work then under way on the device is done.
"""

from collections.abc import Iterable
from itertools import count
from math import prod
from operator import index
from typing import Any, Protocol, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import DTypeLike, NDArray

from dovetail.errors import ArgumentError
from dovetail.runtime.backend import BackendAllocation, MemoryKind
from dovetail.runtime.device import Device
from dovetail.runtime.event import DeviceWork, Event, Pending

HostArray: TypeAlias = NDArray[Any]
"""Of any element type; only the program that uses it knows which."""

NO_MEMORY = 0
"""The serial number of none."""
_serials = count(NO_MEMORY + 1)


def is_host_array(value: object) -> TypeGuard[HostArray]:
    """Return whether the value is a NumPy array."""
    return isinstance(value, np.ndarray)


class HasWork(Protocol):
    """A queue; an array keeps the one it came from, for its copies."""

    @property
    def device(self) -> Device: ...

    @property
    def pending(self) -> Pending: ...


class UsmMemory:
    """An allocation that outlives the work under way when it is dropped."""

    __slots__ = ("_work", "allocation", "serial")

    def __init__(self, allocation: BackendAllocation, work: DeviceWork) -> None:
        self.allocation = allocation
        self.serial = next(_serials)
        """Tells it from all other memory there is, was and will be; addresses come back."""
        self._work = work

    def __del__(self) -> None:
        self._work.hold(self.allocation)


class UsmArray:
    """An array in memory of one kind, on one device. `Queue.alloc` makes them."""

    __slots__ = (
        "__weakref__",
        "_queue",
        "device",
        "dtype",
        "held",
        "kind",
        "native_device",
        "nbytes",
        "shape",
    )

    def __init__(
        self,
        queue: HasWork,
        shape: tuple[int, ...],
        dtype: np.dtype[np.generic],
        kind: MemoryKind,
    ) -> None:
        device = queue.device
        self.device = device
        self.native_device = device.native
        self.shape = shape
        self.dtype = dtype
        self.kind = kind
        self.nbytes = prod(shape) * dtype.itemsize
        self._queue = queue
        # Drivers refuse to allocate nothing.
        allocation = device.allocate(kind, max(self.nbytes, 1))
        self.held: UsmMemory | None = UsmMemory(allocation, device.work)
        """Its memory, None once it has been freed."""

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    @property
    def address(self) -> int:
        """Where it begins; the same for host and device."""
        return self.memory.allocation.address

    @property
    def memory(self) -> UsmMemory:
        """What the driver gave, unless it has been freed."""
        if self.held is None:
            raise ArgumentError("the array has been freed")
        return self.held

    def numpy(self) -> HostArray:
        """A view, without a copy, of shared or host memory; it keeps the memory alive."""
        if self.kind is MemoryKind.DEVICE:
            raise ArgumentError(
                "device memory cannot be seen from the host", hint="copy it with `to_numpy()`"
            )
        plain = np.asarray(_HostView(self.memory, self.nbytes))
        return plain.view(self.dtype).reshape(self.shape)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> HostArray:
        """For NumPy's functions: the view, or a copy where that is wanted."""
        return np.array(self.numpy(), dtype=dtype, copy=copy)

    def copy_from(self, array: NDArray[np.generic]) -> None:
        """Fill it from an array of the same shape and type, after the queue's earlier work."""
        source = np.asarray(array, order="C")
        if source.shape != self.shape or source.dtype != self.dtype:
            raise ArgumentError(
                f"an array of {source.dtype} with shape {source.shape} was given,"
                f" it is of {self.dtype} with shape {self.shape}"
            )
        memory = self.memory
        self._copy(memory.allocation.address, source.ctypes.data, (memory, source))

    def to_numpy(self) -> HostArray:
        """A copy in host memory, taken after the queue's earlier work."""
        target = np.empty(self.shape, self.dtype)
        memory = self.memory
        self._copy(target.ctypes.data, memory.allocation.address, (memory, target))
        return target

    def free(self) -> None:
        """Let go of the memory; views and work under way have it for as long as they need."""
        self.held = None

    def _copy(self, target: int, source: int, kept: object) -> None:
        """Copy and wait; what is `kept` stays until it is done, though the wait be interrupted."""
        if not self.nbytes:
            return
        event, pending = Event(), self._queue.pending
        try:
            pending.add(event, kept)
            event.natives = (event.queue.copy(target, source, self.nbytes),)
        except BaseException as error:
            pending.start_failed(event, error)
            raise
        event.wait()

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array without dimensions has no length")
        return self.shape[0]

    def __repr__(self) -> str:
        state = " freed" if self.held is None else ""
        return f"<UsmArray {self.kind} {self.dtype}{list(self.shape)}{state}>"


class _HostView:
    """What NumPy makes an array of bytes of; the array holds it, and it holds the memory."""

    def __init__(self, memory: UsmMemory, size: int) -> None:
        self._memory = memory
        self.__array_interface__ = {
            "version": 3,
            "shape": (size,),
            "typestr": "|u1",
            "data": (memory.allocation.address, False),
        }


def array_shape(shape: int | Iterable[int]) -> tuple[int, ...]:
    """`shape` as NumPy takes it, as a tuple."""
    try:
        sizes = tuple(map(index, shape)) if isinstance(shape, Iterable) else (index(shape),)
    except TypeError:
        raise ArgumentError(f"the shape {shape!r} is not made of integers") from None
    if any(size < 0 for size in sizes):
        raise ArgumentError(f"the shape {sizes} has a negative size")
    return sizes


def memory_kind(kind: str) -> MemoryKind:
    """The kind of that name."""
    try:
        return MemoryKind(kind)
    except ValueError:
        known = ", ".join(MemoryKind)
        raise ArgumentError(f"there is no memory of kind '{kind}'; there is: {known}") from None


def plain_dtype(dtype: DTypeLike) -> np.dtype[np.generic]:
    """The NumPy type, if memory can hold it without Python objects."""
    try:
        found = np.dtype(dtype)
    except TypeError:
        raise ArgumentError(f"{dtype!r} is no NumPy type") from None
    if found.hasobject:
        raise ArgumentError("Python objects cannot be kept in a device's memory")
    return found
