"""Arrays of other libraries as USM arrays, without a copy."""

from dataclasses import dataclass

from dovetail.errors import ArgumentTypeError, ArgumentValueError
from dovetail.runtime.backend import MemoryKind, PointerArgument
from dovetail.runtime.exchange import ExchangeError, ForeignArray, Reach, foreign_array
from dovetail.runtime.foreign_arguments import (
    COPY_TO_HOST,
    is_in_host_memory,
    is_on_cuda_device,
    unreachable,
)
from dovetail.runtime.memory import UsmArray
from dovetail.runtime.queue import Queue

_COPY = "copy it with from_dlpack(array, copy=True)"
_CUDA_KINDS = {Reach.CUDA: MemoryKind.DEVICE, Reach.CUDA_AND_HOST: MemoryKind.SHARED}


@dataclass(frozen=True)
class ImportedAllocation:
    """Memory of another library, which `owner` keeps alive."""

    address: int
    argument: PointerArgument
    owner: object


def from_dlpack(array: object, queue: Queue | None = None, *, copy: bool = False) -> UsmArray:
    """Return the array of another library as a `UsmArray` for kernels on the queue's device.

    Both use the same memory. If the device cannot access it, that is an `ArgumentError`, except
    with `copy`, which makes a copy in shared memory. Any object that exports its memory is
    accepted: by DLPack, an array interface or the buffer protocol.

    >>> import array
    >>> from_dlpack(array.array("f", [1, 2]), copy=True).to_numpy()
    array([1., 2.], dtype=float32)
    """
    target = Queue() if queue is None else queue
    try:
        found = foreign_array(array)
    except ExchangeError as error:
        raise ArgumentValueError(f"the array cannot be used: {error}") from None
    if found is None:
        raise ArgumentTypeError(f"expected an array of another library, got {type(array).__name__}")
    if copy:
        return _copied(found, target)
    kind = _kind(found, target)
    if found.stream is not None:
        target.device.native.wait_for_stream(found.stream)
    argument = target.device.native.address_argument(found.address)
    allocation = ImportedAllocation(found.address, argument, found.owner)
    return UsmArray(target, found.shape, found.dtype, kind, allocation)


def _kind(array: ForeignArray, queue: Queue) -> MemoryKind:
    """Return the kind of the memory; raise `ArgumentError` if it cannot be shared."""
    device = queue.device
    if is_on_cuda_device(array, device):
        kind = _CUDA_KINDS[array.reach]
    elif is_in_host_memory(array, device) and device.native.reaches_host_memory:
        kind = MemoryKind.HOST
    elif is_in_host_memory(array, device):
        raise ArgumentValueError(unreachable(array, device), hint=_COPY)
    else:
        raise ArgumentValueError(unreachable(array, device), hint=COPY_TO_HOST)
    if not array.is_contiguous:
        raise ArgumentValueError("the array is not contiguous", hint=_COPY)
    if not array.is_writable:
        raise ArgumentValueError("the array is read-only", hint=_COPY)
    return kind


def _copied(array: ForeignArray, queue: Queue) -> UsmArray:
    """Return a copy of an array in host memory."""
    if not is_in_host_memory(array, queue.device):
        raise ArgumentValueError(unreachable(array, queue.device), hint=COPY_TO_HOST)
    copy = queue.alloc(array.shape, array.dtype)
    copy.copy_from(array.numpy())
    return copy
