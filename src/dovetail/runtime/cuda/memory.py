"""USM on an NVIDIA GPU.

Shared memory is CUDA's managed memory, which the driver would also allocate beyond the memory of
the GPU, and then move back and forth. So the sum of all allocations on the GPU is limited to its
size.
"""

import weakref
from threading import RLock

from dovetail.errors import DovetailError
from dovetail.runtime.backend import DeviceOutOfMemory, MemoryKind
from dovetail.runtime.cuda.api import OUT_OF_MEMORY, CudaError
from dovetail.runtime.cuda.context import CudaContext

_FUNCTIONS = {
    MemoryKind.DEVICE: "cuMemAlloc",
    MemoryKind.SHARED: "cuMemAllocManaged",
    MemoryKind.HOST: "cuMemHostAlloc",
}
_FLAGS = {
    MemoryKind.DEVICE: (),
    MemoryKind.SHARED: (1,),  # CU_MEM_ATTACH_GLOBAL
    MemoryKind.HOST: (1 | 2,),  # CU_MEMHOSTALLOC_PORTABLE, CU_MEMHOSTALLOC_DEVICEMAP
}

_DRIVERS_ALIGNMENT = 256
"""The alignment of all allocations of the driver."""


class CudaAllocation:
    """A USM allocation, freed with its last reference."""

    __slots__ = ("__weakref__", "address", "argument")

    def __init__(
        self, memory: "CudaMemory", kind: MemoryKind, base: int, size: int, to: int
    ) -> None:
        """`to` is the address, which is after the `base` if a large alignment was asked for."""
        self.address = self.argument = to
        release = weakref.finalize(self, memory.free, kind, base, size)
        # When Python exits, the system frees the memory.
        release.atexit = False


class CudaMemory:
    """The memory of one device."""

    def __init__(self, context: CudaContext, total: int) -> None:
        self._context = context
        self._total = total
        self._allocated = 0
        """Bytes of device and shared memory."""
        # Reentrant: a finalizer may free memory while its thread allocates some.
        self._lock = RLock()

    def allocate(self, kind: MemoryKind, size: int, alignment: int) -> CudaAllocation:
        """Allocate memory; raise `DeviceOutOfMemory` if there is not enough."""
        whole = size + alignment if alignment > _DRIVERS_ALIGNMENT else size
        self._reserve(kind, whole)
        try:
            base = int(self._context.call(_FUNCTIONS[kind], whole, *_FLAGS[kind]))
        except DovetailError as error:
            self._unreserve(kind, whole)
            if isinstance(error, CudaError) and error.status == OUT_OF_MEMORY:
                raise self._too_little(kind, size, error.status_name) from None
            raise
        # A power of two, or 0.
        to = -(-base // alignment) * alignment if whole > size else base
        return CudaAllocation(self, kind, base, whole, to)

    def free(self, kind: MemoryKind, base: int, size: int) -> None:
        """Free memory, which no work in flight may use; a finalizer, which must not fail."""
        self._unreserve(kind, size)
        name = "cuMemFreeHost" if kind is MemoryKind.HOST else "cuMemFree"
        self._context.release(name, base)

    def _reserve(self, kind: MemoryKind, size: int) -> None:
        if kind is MemoryKind.HOST:
            return
        free, _ = self._context.call("cuMemGetInfo")
        with self._lock:
            # Managed memory that no kernel has touched is not part of what the driver counts.
            available = min(int(free), self._total - self._allocated)
            if size > available:
                raise self._too_little(kind, size, f"{available} bytes are free")
            self._allocated += size

    def _unreserve(self, kind: MemoryKind, size: int) -> None:
        if kind is not MemoryKind.HOST:
            with self._lock:
                self._allocated -= size

    def _too_little(self, kind: MemoryKind, size: int, reason: str) -> DeviceOutOfMemory:
        return DeviceOutOfMemory(
            f"cannot allocate {size} bytes of {kind} memory on '{self._context.name}': {reason}",
            hint=f"the device has {self._total} bytes, which all programs share",
        )
