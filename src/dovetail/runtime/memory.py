"""SYCL's unified shared memory: the same addresses on the host and the device.

A `UsmArray` and its views share ownership of the allocation. After the last of them is gone, the
memory is freed once the work then in flight on the device is done.
"""

from collections.abc import Iterable
from itertools import count
from math import prod
from operator import index
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import DTypeLike, NDArray

from dovetail.errors import ArgumentTypeError, ArgumentValueError
from dovetail.runtime.backend import BackendAllocation, MemoryKind
from dovetail.runtime.device import Device
from dovetail.runtime.event import DeviceWork, Event, Pending

if TYPE_CHECKING:
    from typing_extensions import CapsuleType

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
    """An array in USM of one kind, on one device; returned by `Queue.alloc`.

    Other libraries can use its memory: NumPy, and those that accept DLPack or the array interface
    of SYCL or CUDA.
    """

    __slots__ = (
        "__weakref__",
        "_exported",
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
        allocation: BackendAllocation | None = None,
    ) -> None:
        """`allocation` is existing memory that it uses instead of its own."""
        device = queue.device
        self.device = device
        self.native_device = device.native
        self.shape = shape
        self.dtype = dtype
        self.kind = kind
        self.nbytes = prod(shape) * dtype.itemsize
        self._queue = queue
        self._exported: UsmMemory | None = None
        """Its memory, if another library may have the address: `free` leaves it alone."""
        if allocation is None:
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
            raise ArgumentValueError("the array has been freed")
        return self.held

    def numpy(self) -> HostArray:
        """Return a view of shared or host memory, without a copy; it keeps the memory alive."""
        if self.kind is MemoryKind.DEVICE:
            raise ArgumentValueError(
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
            raise ArgumentValueError(
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

    @property
    def __array_interface__(self) -> dict[str, object]:
        """NumPy's description of memory that the host can access."""
        if self.kind is MemoryKind.DEVICE:
            raise AttributeError("the host cannot access device memory")
        return self._interface(3)

    @property
    def __cuda_array_interface__(self) -> dict[str, object]:
        """Numba's and CuPy's description of memory on a CUDA device."""
        if self.device.backend != "cuda":
            raise AttributeError("the memory is not on a CUDA device")
        return self._interface(3) | {"stream": None}

    @property
    def __sycl_usm_array_interface__(self) -> dict[str, object]:
        """dpctl's description of USM; `syclobj` selects the device."""
        device = self.device
        return self._interface(1) | {"syclobj": f"{device.backend}:{device.kind}", "offset": 0}

    def _interface(self, version: int) -> dict[str, object]:
        """Return the description of the memory, when the queue's earlier work is done."""
        self._queue.pending.settle()
        # The library keeps this array alive, not its memory.
        self._exported = self.memory
        return {
            "version": version,
            "shape": self.shape,
            "typestr": self.dtype.str,
            "descr": self.dtype.descr,
            "strides": None,
            "data": (self.address, False),
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        from dovetail.runtime.usm_export import dlpack_device

        return dlpack_device(self)

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> "CapsuleType":
        """Export the array to another library, when the queue's earlier work is done."""
        # Imported late: few programs exchange arrays.
        from dovetail.runtime.usm_export import dlpack_capsule

        self._queue.pending.settle()
        return dlpack_capsule(self, max_version, dl_device, copy=copy)

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

    def __dir__(self) -> list[str]:
        # The others are for the runtime itself.
        return [
            "address",
            "copy_from",
            "device",
            "dtype",
            "free",
            "kind",
            "nbytes",
            "numpy",
            "shape",
            "size",
            "to_numpy",
        ]

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
        raise ArgumentTypeError(f"expected a shape of integers, got {shape!r}") from None
    if any(size < 0 for size in sizes):
        raise ArgumentValueError(f"the shape {sizes} has a negative size")
    return sizes


def memory_kind(kind: str) -> MemoryKind:
    """Return the kind of memory with that name."""
    try:
        return MemoryKind(kind)
    except ValueError:
        known = ", ".join(MemoryKind)
        raise ArgumentValueError(
            f"unknown kind of memory '{kind}'; expected one of: {known}"
        ) from None


def plain_dtype(dtype: DTypeLike) -> np.dtype[np.generic]:
    """Return the NumPy type; raise `ArgumentError` if it contains Python objects."""
    try:
        found = np.dtype(dtype)
    except TypeError:
        raise ArgumentTypeError(f"{dtype!r} is not a NumPy type") from None
    if found.hasobject:
        raise ArgumentValueError("device memory cannot contain Python objects")
    return found
