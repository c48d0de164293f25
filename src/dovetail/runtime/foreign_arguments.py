"""Arrays of other libraries as arguments of kernels.

Memory that the host can access becomes a NumPy array, which a launch uses in place or copies, like
any other. Memory of a CUDA device becomes an address.
"""

from typing import NamedTuple

import numpy as np

from dovetail.kernel_info import ParameterKind
from dovetail.runtime.arguments import no_array_error
from dovetail.runtime.backend import DeviceKind
from dovetail.runtime.device import Device
from dovetail.runtime.element_types import element_check
from dovetail.runtime.exchange import ExchangeError, ForeignArray, Reach, foreign_array
from dovetail.runtime.memory import HostArray, UsmArray
from dovetail.runtime.number_encoding import ENCODINGS, as_integer
from dovetail.runtime.slot import NULL, Slot

COPY_TO_HOST = (
    "copy it to the host first, for example with `.get()`, `.cpu()` or `asnumpy()` of its library"
)


class PlainArgument(NamedTuple):
    """An argument in a form that launches accept."""

    value: object
    owner: object
    """Keeps the memory alive."""


def plain_argument(slot: Slot, value: object, device: Device) -> PlainArgument:
    """Return an argument of a kernel on `device`, with an array of another library made plain."""
    if slot.parameter.kind is not ParameterKind.POINTER or _is_plain(value):
        return PlainArgument(value, value)
    try:
        array = None if _is_scalar(value) else foreign_array(value)
    except ExchangeError as error:
        raise slot.error(f"the array cannot be used: {error}") from None
    if array is None:
        return _address(slot, value)
    if is_in_host_memory(array, device):
        _check_contiguous(slot, array)
        return PlainArgument(_typed(slot, array, value), array)
    if is_on_cuda_device(array, device):
        return PlainArgument(_device_address(slot, array, device), array)
    raise slot.error(unreachable(array, device), hint=COPY_TO_HOST)


def is_in_host_memory(array: ForeignArray, device: Device) -> bool:
    """Return whether the host can access the array, for kernels on `device`."""
    if array.reach is Reach.SYCL:
        # USM of any kind is memory of the host if a CPU is the device.
        return device.native.description.kind is DeviceKind.CPU
    return array.reach is Reach.HOST


def is_on_cuda_device(array: ForeignArray, device: Device) -> bool:
    """Return whether the device is a CUDA device that has the memory of an array."""
    if device.backend != "cuda" or array.ordinal not in (None, device.native.ordinal):
        return False
    return array.reach in (Reach.CUDA, Reach.CUDA_AND_HOST)


def _is_plain(value: object) -> bool:
    return value is NULL or type(value) is int or isinstance(value, UsmArray | np.ndarray)


def _is_scalar(value: object) -> bool:
    """Return whether the value is a number; those of NumPy export their memory, too."""
    return isinstance(value, int | np.generic)


def _address(slot: Slot, value: object) -> PlainArgument:
    """Return an address that is given as an integer of another type."""
    address = None if _is_bool(value) else as_integer(value)
    if address is None:
        raise no_array_error(slot, value)
    return PlainArgument(address, value)


def _is_bool(value: object) -> bool:
    return isinstance(value, bool | np.bool_)


def _check_contiguous(slot: Slot, array: ForeignArray) -> None:
    if not array.is_contiguous:
        raise slot.error("the array is not contiguous", hint="pass a contiguous copy")


def _typed(slot: Slot, array: ForeignArray, value: object) -> HostArray:
    """Return the array; bytes without a type get the type of the parameter."""
    plain, encoding = array.numpy(), slot.parameter.encoding
    if not _is_untyped(plain, value) or encoding not in ENCODINGS:
        return plain
    wanted = np.dtype(encoding)
    if array.nbytes % wanted.itemsize:
        raise slot.error(
            f"expected a multiple of {wanted.itemsize} bytes, the size of {wanted},"
            f" got {array.nbytes} bytes"
        )
    if array.address % wanted.itemsize:
        raise slot.error(f"the memory is not aligned to {wanted.itemsize} bytes, as {wanted} is")
    return plain.view(wanted)


def _is_untyped(array: HostArray, value: object) -> bool:
    """Return whether the elements are just bytes, as in a `bytearray`."""
    if array.ndim != 1 or array.itemsize != 1:
        return False
    return array.dtype.kind == "S" or isinstance(value, bytes | bytearray | memoryview)


def _device_address(slot: Slot, array: ForeignArray, device: Device) -> int:
    """Return the address of memory on the CUDA device, when the work on it is done."""
    _check_contiguous(slot, array)
    if slot.parameter.writable and not array.is_writable:
        raise slot.error("the array is read-only and the kernel may write to it")
    element_check(slot)(array.dtype, array.nbytes)
    if array.stream is not None:
        device.native.wait_for_stream(array.stream)
    return array.address


def unreachable(array: ForeignArray, device: Device) -> str:
    """Return why kernels on the device cannot use the memory of an array."""
    return f"expected memory that '{device.name}' can access, got an array in {array.reach.value}"
