"""NVIDIA's GPUs and their queues, programs and memory."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import ProgramBuildError
from dovetail.runtime.backend import (
    BackendAllocation,
    BackendDevice,
    BackendQueue,
    Code,
    CodeKind,
    Detail,
    MemoryKind,
    PointerArgument,
)
from dovetail.runtime.cuda.api import Driver
from dovetail.runtime.cuda.build import build_settings, cubin_of, load_module
from dovetail.runtime.cuda.context import CudaContext
from dovetail.runtime.cuda.deferrals import Deferrals
from dovetail.runtime.cuda.description import compute_capability, describe
from dovetail.runtime.cuda.details import device_detail
from dovetail.runtime.cuda.events import CudaEvent, CudaGate
from dovetail.runtime.cuda.memory import CudaMemory
from dovetail.runtime.cuda.program import CudaProgram, set_variables
from dovetail.runtime.cuda.queue import CudaQueue


def devices_of(driver: Driver) -> list[BackendDevice]:
    """Return all GPUs in the driver's order."""
    return [CudaDevice(driver, number) for number in range(driver.call("cuDeviceGetCount"))]


class CudaDevice:
    """A GPU; its context is opened on first use and shared by its queues."""

    rejects_bad_code = True
    stores_constants = True

    def __init__(self, driver: Driver, number: int) -> None:
        self._driver = driver
        self.ordinal = number
        self._handle = driver.call("cuDeviceGet", number)
        self._capability = compute_capability(driver, self._handle)
        self.description = describe(driver, self._handle)
        # Where the GPU reaches pageable memory only by faults that migrate it, copies are faster.
        uses_page_tables = "PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES"
        self.reaches_host_memory = bool(driver.device_attribute(uses_page_tables, self._handle))
        self._context = CudaContext(driver, self._handle, self.description.name)
        self._memory = CudaMemory(self._context, self.description.limits.global_memory)
        self._deferrals = Deferrals()

    @property
    def is_lost(self) -> bool:
        return self._context.is_lost

    def renewed(self) -> "CudaDevice":
        """Return the device with a new context; this one's is destroyed."""
        self._context.reset()
        return CudaDevice(self._driver, self.ordinal)

    def detail(self, name: str) -> Detail | None:
        return device_detail(self._driver, self._handle, self._capability, name)

    def open_queue(self, *, profiling: bool = False) -> BackendQueue:
        return CudaQueue(self._context, self._deferrals, profiling=profiling)

    def new_gate(self) -> CudaGate:
        return CudaGate(self._deferrals.advance)

    def supports(self, kind: CodeKind) -> bool:
        return kind in (CodeKind.NATIVE, CodeKind.PTX)

    def build(self, parts: Sequence[Code], options: Sequence[str] = ()) -> CudaProgram:
        if options:
            raise ProgramBuildError("NVIDIA's driver takes no options for its compiler")
        cubin = cubin_of(self._context, parts, self._capability)
        program = CudaProgram(self._context, load_module(self._context, cubin), cubin)
        set_variables(program, [each for part in parts for each in part.variables], self.open_queue)
        return program

    def build_settings(self) -> dict[str, str]:
        return build_settings()

    def allocate(self, kind: MemoryKind, size: int, alignment: int = 0) -> BackendAllocation:
        return self._memory.allocate(kind, size, alignment)

    def wait_for_stream(self, stream: int) -> None:
        event = CudaEvent(self._context)
        event.reserve()
        event.record(self._driver.stream(stream))
        self._context.call("cuEventSynchronize", event.handle)

    def address_argument(self, address: int, /) -> PointerArgument:
        return address

    def array_argument(self, array: NDArray[np.generic], /) -> PointerArgument:
        return array.ctypes.data
