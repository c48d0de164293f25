"""OpenCL devices and their queues, programs and memory."""

from collections.abc import Sequence
from threading import Lock

import pyopencl as cl

from dovetail.errors import DeviceError
from dovetail.runtime.backend import (
    BackendAllocation,
    BackendDevice,
    BackendQueue,
    Code,
    CodeKind,
    Detail,
    DeviceOutOfMemory,
    MemoryKind,
)
from dovetail.runtime.opencl import api
from dovetail.runtime.opencl.build import build, build_settings
from dovetail.runtime.opencl.description import (
    describe,
    is_intel_gpu,
    shares_host_memory,
    spirv_versions,
)
from dovetail.runtime.opencl.details import device_detail
from dovetail.runtime.opencl.loader import find_platforms
from dovetail.runtime.opencl.memory import (
    OpenCLAllocation,
    svm_address,
    svm_array,
    usm_address,
    usm_array,
)
from dovetail.runtime.opencl.program import OpenCLProgram
from dovetail.runtime.opencl.queue import OpenCLGate, OpenCLQueue


def find_devices() -> list[BackendDevice]:
    """Return all OpenCL devices that support SPIR-V, in the loader's order."""
    return [
        OpenCLDevice(handle)
        for platform in find_platforms()
        for handle in _devices_of(platform)
        if spirv_versions(handle)
    ]


class OpenCLDevice:
    """An OpenCL device; its context is created on first use and shared by its queues."""

    # Invalid code makes some drivers crash.
    rejects_bad_code = False
    # Native code has the default values.
    stores_constants = False
    is_lost = False
    ordinal = 0

    def __init__(self, handle: cl.Device, *, reaches_host_memory: bool | None = None) -> None:
        """`reaches_host_memory` overrides what the driver reports; if false, arrays are copied."""
        self.handle = handle
        self.description = describe(handle)
        has_usm = api.UNIFIED_MEMORY_EXTENSION in self.description.extensions
        self._memory = api.UnifiedMemory(handle.platform.int_ptr) if has_usm else None
        shares_all = shares_host_memory(handle)
        if reaches_host_memory is None:
            reaches_host_memory = "usm_system_allocations" in self.description.aspects
        self.reaches_host_memory = reaches_host_memory
        self._accepts_any_address = shares_all and reaches_host_memory
        self.address_argument = svm_address if self._accepts_any_address else usm_address
        self.array_argument = svm_array if self._accepts_any_address else usm_array
        self._context: cl.Context | None = None
        self._opening = Lock()

    def renewed(self) -> BackendDevice:
        return self

    def detail(self, name: str) -> Detail | None:
        return device_detail(self.handle, is_intel_gpu(self.handle), name)

    def open_queue(self, *, profiling: bool = False) -> BackendQueue:
        return OpenCLQueue(self._open(), self.handle, self._memory, profiling=profiling)

    def new_gate(self) -> OpenCLGate:
        return OpenCLGate(self._open())

    def supports(self, kind: CodeKind) -> bool:
        if kind is CodeKind.SPIRV:
            return bool(self.description.spirv_versions)
        # OpenCL has no query for this; every driver supports the native code that it returns.
        return kind is CodeKind.NATIVE

    def build(self, parts: Sequence[Code], options: Sequence[str] = ()) -> OpenCLProgram:
        program = build(self._open(), self.handle, parts, options)
        pointers = None if self._accepts_any_address else self._memory
        return OpenCLProgram(program, self.handle, pointers)

    def build_settings(self) -> dict[str, str]:
        return build_settings()

    def allocate(self, kind: MemoryKind, size: int, alignment: int = 0) -> BackendAllocation:
        name = self.description.name
        if self._memory is None:
            raise DeviceError(f"'{name}' has no unified shared memory")
        context = self._open()
        try:
            handles = (context.int_ptr, self.handle.int_ptr)
            address = self._memory.allocate(kind, *handles, size, alignment)
        except DeviceError as error:
            maximum = self.description.limits.max_allocation
            raise DeviceOutOfMemory(
                f"cannot allocate {size} bytes of {kind} memory on '{name}': {error.message}",
                hint=f"the device allocates up to {maximum} bytes at once",
            ) from None
        return OpenCLAllocation(self._memory, context, address, self.address_argument(address))

    def wait_for_stream(self, stream: int) -> None:
        raise DeviceError(f"'{self.description.name}' has no streams")

    def _open(self) -> cl.Context:
        """Return the context, created on first use."""
        with self._opening:
            if self._context is None:
                try:
                    self._context = cl.Context([self.handle])
                except cl.Error as error:
                    raise api.status_error("clCreateContext", error.code) from None
            return self._context


def _devices_of(platform: cl.Platform) -> list[cl.Device]:
    """Return the devices of a platform; none if it has none."""
    try:
        return platform.get_devices()
    except cl.Error:
        # The driver reports that there are none as an error.
        return []
