"""Arrays of other libraries as USM arrays, without a copy."""

from dataclasses import dataclass

from dovetail.errors import ArgumentError
from dovetail.runtime.backend import MemoryKind, PointerArgument
from dovetail.runtime.exchange import ExchangeError, ForeignArray, Reach, foreign_array
from dovetail.runtime.foreign_arguments import COPY_TO_HOST, is_in_host_memory, unreachable
from dovetail.runtime.memory import UsmArray
from dovetail.runtime.queue import Queue

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
    """
    target = Queue() if queue is None else queue
    try:
        found = foreign_array(array)
    except ExchangeError as error:
        raise ArgumentError(f"the array cannot be used: {error}") from None
    if found is None:
        raise ArgumentError(f"expected an array of another library, got {type(array).__name__}")
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
    device, kind = queue.device, _CUDA_KINDS.get(array.reach)
    if kind is not None and device.backend == "cuda":
        pass
    elif is_in_host_memory(array, device) and device.native.reaches_host_memory:
        kind = MemoryKind.HOST
    elif is_in_host_memory(array, device):
        raise ArgumentError(unreachable(array, device), hint="copy it with from_dlpack(copy=True)")
    else:
        raise ArgumentError(unreachable(array, device), hint=COPY_TO_HOST)
    if not array.is_contiguous:
        raise ArgumentError(
            "the array is not contiguous", hint="copy it with from_dlpack(copy=True)"
        )
    if not array.is_writable:
        raise ArgumentError("the array is read-only", hint="copy it with from_dlpack(copy=True)")
    return kind


def _copied(array: ForeignArray, queue: Queue) -> UsmArray:
    """Return a copy of an array in host memory."""
    if not is_in_host_memory(array, queue.device):
        raise ArgumentError(unreachable(array, queue.device), hint=COPY_TO_HOST)
    copy = queue.alloc(array.shape, array.dtype)
    copy.copy_from(array.numpy())
    return copy
