"""USM arrays as capsules of DLPack."""

from typing import TYPE_CHECKING, Protocol

import numpy as np

from dovetail.runtime.backend import BackendDevice, MemoryKind
from dovetail.runtime.device import Device
from dovetail.runtime.dlpack import DLDeviceType, new_capsule

if TYPE_CHECKING:
    from dovetail.runtime.dlpack import Capsule

_CUDA = {
    MemoryKind.DEVICE: DLDeviceType.CUDA,
    MemoryKind.SHARED: DLDeviceType.CUDA_MANAGED,
    MemoryKind.HOST: DLDeviceType.CUDA_HOST,
}


class ExportedArray(Protocol):
    """A USM array as it is exported."""

    @property
    def device(self) -> Device: ...
    @property
    def native_device(self) -> BackendDevice: ...
    @property
    def kind(self) -> MemoryKind: ...
    @property
    def address(self) -> int: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> np.dtype[np.generic]: ...
    @property
    def memory(self) -> object: ...


def dlpack_device(array: ExportedArray) -> tuple[int, int]:
    """Return the kind of memory in DLPack's numbers, and the number of the device."""
    if array.device.backend == "cuda":
        return (_CUDA[array.kind].value, array.native_device.ordinal)
    if array.kind is MemoryKind.DEVICE:
        raise BufferError(
            f"DLPack cannot describe device memory of '{array.device.name}':"
            " copy it with to_numpy()"
        )
    return (DLDeviceType.CPU.value, 0)


def dlpack_capsule(
    array: ExportedArray,
    max_version: tuple[int, int] | None,
    device: tuple[int, int] | None,
    *,
    copy: bool | None,
) -> "Capsule":
    """Return a capsule with the array; its user keeps the memory alive."""
    own = dlpack_device(array)
    if device is not None and tuple(device) != own:
        raise BufferError(f"the array is on device {own} of DLPack, not on {tuple(device)}")
    if copy:
        raise BufferError("the array is exported without a copy: copy it with to_numpy()")
    versioned = max_version is not None and max_version[0] >= 1
    return new_capsule(
        array.address, array.shape, array.dtype, own, array.memory, versioned=versioned
    )
