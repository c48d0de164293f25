"""Arrays of other libraries: where their memory is, and what is in it.

In: an object with the buffer protocol, an array interface of NumPy, SYCL or CUDA, or DLPack. Out:
its address, layout and kind of memory, without a copy.
"""

from collections.abc import Mapping, Sequence
from enum import Enum
from math import prod
from typing import Any, NamedTuple, TypeGuard

import numpy as np

from dovetail.runtime.dlpack import DLDeviceType, DLPackError, HasDLPack, read_capsule
from dovetail.runtime.memory import HostArray

LEGACY_STREAM = 1
"""The number of CUDA's default stream, in both protocols."""


class Reach(Enum):
    """Who can access the memory of an array."""

    HOST = "host memory"
    CUDA = "the memory of a CUDA device"
    CUDA_AND_HOST = "managed memory of CUDA"
    SYCL = "SYCL USM of another library"
    """USM of another library; on a CPU, the host can access it too."""


class ForeignArray(NamedTuple):
    """An array of another library."""

    address: int
    shape: tuple[int, ...]
    dtype: np.dtype[np.generic]
    is_writable: bool
    strides: tuple[int, ...] | None
    """In bytes; None if elements follow each other in C's order."""
    reach: Reach
    owner: object
    """Keeps the memory alive."""
    stream: int | None = None
    """The CUDA stream whose work must end before the array is used."""
    ordinal: int | None = None
    """The number of the CUDA device that has the memory; None if it is unknown."""

    @property
    def nbytes(self) -> int:
        return prod(self.shape) * self.dtype.itemsize

    @property
    def is_contiguous(self) -> bool:
        """Whether elements follow each other in C's order."""
        if self.strides is None or 0 in self.shape:
            return True
        expected = self.dtype.itemsize
        for extent, stride in zip(reversed(self.shape), reversed(self.strides), strict=True):
            if extent != 1 and stride != expected:
                return False
            expected *= extent
        return True

    def numpy(self) -> HostArray:
        """Return an array in memory that the host can access, as a view."""
        return np.asarray(_View(self))


class _View:
    """A foreign array, as NumPy's array interface describes it."""

    def __init__(self, array: ForeignArray) -> None:
        self._array = array
        self.__array_interface__ = {
            "version": 3,
            "shape": array.shape,
            "typestr": array.dtype.str,
            "descr": array.dtype.descr,
            "strides": array.strides,
            "data": (array.address, not array.is_writable),
        }


class ExchangeError(Exception):
    """An array of another library cannot be read."""


def foreign_array(value: object) -> ForeignArray | None:
    """Return the array of another library; None if the object is not an array.

    Raise `ExchangeError` if it does not say what it contains.
    """
    try:
        return (
            _from_buffer(value)
            or _from_interface(value, "__array_interface__", Reach.HOST)
            or _from_interface(value, "__sycl_usm_array_interface__", Reach.SYCL)
            or _from_interface(value, "__cuda_array_interface__", Reach.CUDA)
            or _from_dlpack(value)
        )
    except (DLPackError, BufferError, TypeError, ValueError, KeyError, RuntimeError) as error:
        raise ExchangeError(str(error)) from None


def of_numpy(array: HostArray) -> ForeignArray:
    """Return a NumPy array in the same form."""
    return ForeignArray(
        array.ctypes.data,
        array.shape,
        array.dtype,
        array.flags.writeable,
        array.strides,
        Reach.HOST,
        array,
    )


def _from_buffer(value: object) -> ForeignArray | None:
    if isinstance(value, str):
        return None
    try:
        view = memoryview(value)  # pyright: ignore[reportArgumentType]
    except TypeError:
        return None
    return of_numpy(np.asarray(view))


def _from_interface(value: object, name: str, reach: Reach) -> ForeignArray | None:
    """Return an array with an interface in the form of NumPy's."""
    interface: Mapping[str, Any] | None = getattr(value, name, None)
    if not isinstance(interface, Mapping):
        return None
    dtype: np.dtype[np.generic] = np.dtype(interface["typestr"])
    descr = interface.get("descr")
    if dtype.kind == "V" and descr and reach is Reach.HOST:
        dtype = np.dtype(descr)
    shape = tuple(map(int, interface["shape"]))
    strides: Sequence[int] | None = interface.get("strides")
    in_bytes = None if strides is None else tuple(map(int, strides))
    offset = int(interface.get("offset", 0))
    if reach is Reach.SYCL:
        # Strides and offset are in elements.
        in_bytes = in_bytes and tuple(stride * dtype.itemsize for stride in in_bytes)
        offset *= dtype.itemsize
    data: object = interface.get("data")
    if not _is_address(data):
        raise ExchangeError(f"its {name} has no address")
    address, is_read_only = data
    return ForeignArray(
        int(address or 0) + offset,
        shape,
        dtype,
        not is_read_only,
        in_bytes,
        reach,
        value,
        interface.get("stream"),
    )


def _is_address(data: object) -> TypeGuard[tuple[int | None, bool]]:
    """Return whether it is an address, and whether the memory is read-only."""
    return isinstance(data, tuple)


def _from_dlpack(value: object) -> ForeignArray | None:
    if not isinstance(value, HasDLPack):
        return None
    kind, number = map(int, value.__dlpack_device__())
    reach = _REACH.get(kind)
    if reach is None:
        raise ExchangeError(f"it is in the memory of a device of DLPack's type {kind}")
    stream = None if reach is Reach.HOST else LEGACY_STREAM
    try:
        capsule = value.__dlpack__(stream=stream, max_version=(1, 0))
    except TypeError:
        # A library that knows only the first version of DLPack.
        capsule = value.__dlpack__(stream=stream)
    found = read_capsule(capsule)
    return ForeignArray(
        found.address,
        found.shape,
        found.dtype,
        found.is_writable,
        found.strides,
        reach,
        found.owner,
        stream,
        number if reach is Reach.CUDA else None,
    )


_REACH: dict[int, Reach] = {
    DLDeviceType.CPU: Reach.HOST,
    DLDeviceType.CUDA_HOST: Reach.HOST,
    DLDeviceType.CUDA: Reach.CUDA,
    DLDeviceType.CUDA_MANAGED: Reach.CUDA_AND_HOST,
}
