"""OpenCL devices: what each one is, and the way to its queues, programs and memory."""

from threading import Lock

import pyopencl as cl

from dovetail.errors import DeviceError
from dovetail.runtime.backend import (
    BackendAllocation,
    BackendDevice,
    BackendProgram,
    BackendQueue,
    DeviceDescription,
    DeviceKind,
    Limits,
    MemoryKind,
)
from dovetail.runtime.opencl import api
from dovetail.runtime.opencl.loader import find_platforms
from dovetail.runtime.opencl.memory import (
    OpenCLAllocation,
    svm_address,
    svm_array,
    usm_address,
    usm_array,
)
from dovetail.runtime.opencl.program import OpenCLProgram
from dovetail.runtime.opencl.queue import OpenCLQueue

_SUB_GROUP_SIZES = 0x4108  # CL_DEVICE_SUB_GROUP_SIZES_INTEL
_SHARED_SYSTEM_MEMORY = 0x4194  # CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL
_CAN_ACCESS = 1  # CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL

_KINDS = (
    (cl.device_type.GPU, DeviceKind.GPU),
    (cl.device_type.ACCELERATOR, DeviceKind.ACCELERATOR),
    (cl.device_type.CPU, DeviceKind.CPU),
)


def find_devices() -> list[BackendDevice]:
    """All OpenCL devices that take SPIR-V, in the loader's order."""
    return [
        OpenCLDevice(handle)
        for platform in find_platforms()
        for handle in _devices_of(platform)
        if "SPIR-V" in _il_version(handle)
    ]


class OpenCLDevice:
    """One device. Its context is made on first use and shared by all its queues."""

    def __init__(self, handle: cl.Device, *, reaches_host_memory: bool | None = None) -> None:
        """`reaches_host_memory` overrules the driver: without it, arrays are staged."""
        self.handle = handle
        self.description = _describe(handle)
        has_usm = api.UNIFIED_MEMORY_EXTENSION in self.description.extensions
        self._memory = api.UnifiedMemory(handle.platform.int_ptr) if has_usm else None
        shares_all = _shares_host_memory(handle)
        if reaches_host_memory is None:
            reaches_host_memory = shares_all or _has_system_usm(handle)
        self.reaches_host_memory = reaches_host_memory
        self._takes_any_address = shares_all and reaches_host_memory
        self.address_argument = svm_address if self._takes_any_address else usm_address
        self.array_argument = svm_array if self._takes_any_address else usm_array
        self._context: cl.Context | None = None
        self._opening = Lock()

    def open_queue(self) -> BackendQueue:
        return OpenCLQueue(self._open(), self.handle, self._memory)

    def build(self, spirv: bytes) -> BackendProgram:
        pointers = None if self._takes_any_address else self._memory
        return OpenCLProgram(self._open(), self.handle, spirv, pointers)

    def allocate(self, kind: MemoryKind, size: int) -> BackendAllocation:
        name = self.description.name
        if self._memory is None:
            raise DeviceError(f"'{name}' has no unified shared memory")
        context = self._open()
        try:
            handles = (context.int_ptr, self.handle.int_ptr)
            address = self._memory.allocate(kind, *handles, size)
        except DeviceError as error:
            most = self.description.limits.max_allocation
            raise DeviceError(
                f"cannot allocate {size} bytes of {kind} memory on '{name}': {error.message}",
                hint=f"the device allocates up to {most} bytes at once",
            ) from None
        return OpenCLAllocation(self._memory, context, address, self.address_argument(address))

    def _open(self) -> cl.Context:
        with self._opening:
            if self._context is None:
                try:
                    self._context = cl.Context([self.handle])
                except cl.Error as error:
                    raise api.status_error("clCreateContext", error.code) from None
            return self._context


def _devices_of(platform: cl.Platform) -> list[cl.Device]:
    try:
        return platform.get_devices()
    except cl.Error:
        # The driver reports that there are none as an error.
        return []


def _describe(handle: cl.Device) -> DeviceDescription:
    versions = (word.removeprefix("SPIR-V_") for word in _il_version(handle).split())
    return DeviceDescription(
        backend="opencl",
        platform=handle.platform.name,
        name=handle.name.strip(),
        kind=_kind(handle),
        driver_version=handle.driver_version,
        limits=_limits(handle),
        sub_group_sizes=api.device_sizes(handle.int_ptr, _SUB_GROUP_SIZES),
        spirv_versions=tuple(sorted(versions, key=lambda v: tuple(map(int, v.split("."))))),
        extensions=frozenset(handle.extensions.split()),
    )


def _limits(handle: cl.Device) -> Limits:
    return Limits(
        max_work_group_size=handle.max_work_group_size,
        max_work_item_sizes=tuple(reversed(handle.max_work_item_sizes)),
        local_memory=handle.local_mem_size,
        global_memory=handle.global_mem_size,
        max_allocation=handle.max_mem_alloc_size,
    )


def _kind(handle: cl.Device) -> DeviceKind:
    for bit, kind in _KINDS:
        if handle.type & bit:
            return kind
    return DeviceKind.ACCELERATOR


def _il_version(handle: cl.Device) -> str:
    try:
        return str(handle.il_version)
    except cl.Error:
        # Drivers before OpenCL 2.1 do not know the question.
        return ""


def _shares_host_memory(handle: cl.Device) -> bool:
    try:
        return bool(handle.svm_capabilities & cl.device_svm_capabilities.FINE_GRAIN_SYSTEM)
    except cl.Error:
        return False


def _has_system_usm(handle: cl.Device) -> bool:
    capabilities = api.device_sizes(handle.int_ptr, _SHARED_SYSTEM_MEMORY)
    return bool(capabilities and capabilities[0] & _CAN_ACCESS)
