"""SYCL's unified shared memory: the same addresses on the host and the device.

A `UsmArray` and its views share ownership of the allocation. After the last of them is gone, the
memory is freed once the work then in flight on the device is done.
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
"""An array of any element type, which only its program knows."""

NO_MEMORY = 0
"""A serial number that no memory has."""
_serials = count(NO_MEMORY + 1)


def is_host_array(value: object) -> TypeGuard[HostArray]:
    """Return whether the value is a NumPy array."""
    return isinstance(value, np.ndarray)


class HasWork(Protocol):
    """A queue as arrays use it, for their copies."""

    @property
    def device(self) -> Device: ...

    @property
    def pending(self) -> Pending: ...


class UsmMemory:
    """An allocation that is freed after the work that is in flight when it is dropped."""

    __slots__ = ("_work", "allocation", "serial")

    def __init__(self, allocation: BackendAllocation, work: DeviceWork) -> None:
        self.allocation = allocation
        self.serial = next(_serials)
        """Unique in the process, unlike the address, which may be reused."""
        self._work = work

    def __del__(self) -> None:
        self._work.hold(self.allocation)


class UsmArray:
    """An array in USM of one kind, on one device; returned by `Queue.alloc`."""

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
        # Drivers do not allocate 0 bytes.
        allocation = device.allocate(kind, max(self.nbytes, 1))
        self.held: UsmMemory | None = UsmMemory(allocation, device.work)
        """Its memory; None after `free`."""

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    @property
    def address(self) -> int:
        """The address of the first element, on host and device."""
        return self.memory.allocation.address

    @property
    def memory(self) -> UsmMemory:
        """Its memory; raises `ArgumentError` after `free`."""
        if self.held is None:
            raise ArgumentError("the array has been freed")
        return self.held

    def numpy(self) -> HostArray:
        """Return a view of shared or host memory, without a copy; it keeps the memory alive."""
        if self.kind is MemoryKind.DEVICE:
            raise ArgumentError(
                "the host cannot access device memory", hint="copy it with `to_numpy()`"
            )
        plain = np.asarray(_HostView(self.memory, self.nbytes))
        return plain.view(self.dtype).reshape(self.shape)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> HostArray:
        """Return the view, or a copy, for NumPy's functions."""
        return np.array(self.numpy(), dtype=dtype, copy=copy)

    def copy_from(self, array: NDArray[np.generic]) -> None:
        """Fill it from an array of the same shape and type, after the queue's earlier work."""
        source = np.asarray(array, order="C")
        if source.shape != self.shape or source.dtype != self.dtype:
            raise ArgumentError(
                f"expected an array of {self.dtype} with shape {self.shape}, got one of"
                f" {source.dtype} with shape {source.shape}"
            )
        memory = self.memory
        self._copy(memory.allocation.address, source.ctypes.data, (memory, source))

    def to_numpy(self) -> HostArray:
        """Return a copy in host memory, made after the queue's earlier work."""
        target = np.empty(self.shape, self.dtype)
        memory = self.memory
        self._copy(target.ctypes.data, memory.allocation.address, (memory, target))
        return target

    def free(self) -> None:
        """Release the memory; it is freed once views and work in flight no longer use it."""
        self.held = None

    def _copy(self, target: int, source: int, kept: object) -> None:
        """Copy and wait; `kept` stays alive until the copy is done, even after an interrupt."""
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
    """Memory as NumPy's array interface; the array keeps it alive, and it the memory."""

    def __init__(self, memory: UsmMemory, size: int) -> None:
        self._memory = memory
        self.__array_interface__ = {
            "version": 3,
            "shape": (size,),
            "typestr": "|u1",
            "data": (memory.allocation.address, False),
        }


def array_shape(shape: int | Iterable[int]) -> tuple[int, ...]:
    """Return a shape, in any form that NumPy accepts, as a tuple."""
    try:
        sizes = tuple(map(index, shape)) if isinstance(shape, Iterable) else (index(shape),)
    except TypeError:
        raise ArgumentError(f"expected a shape of integers, got {shape!r}") from None
    if any(size < 0 for size in sizes):
        raise ArgumentError(f"the shape {sizes} has a negative size")
    return sizes


def memory_kind(kind: str) -> MemoryKind:
    """Return the kind of memory with that name."""
    try:
        return MemoryKind(kind)
    except ValueError:
        known = ", ".join(MemoryKind)
        raise ArgumentError(f"unknown kind of memory '{kind}'; expected one of: {known}") from None


def plain_dtype(dtype: DTypeLike) -> np.dtype[np.generic]:
    """Return the NumPy type; raise `ArgumentError` if it contains Python objects."""
    try:
        found = np.dtype(dtype)
    except TypeError:
        raise ArgumentError(f"{dtype!r} is not a NumPy type") from None
    if found.hasobject:
        raise ArgumentError("device memory cannot contain Python objects")
    return found
