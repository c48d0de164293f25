"""OpenCL's C functions that pyopencl lacks, or implements with side effects.

All are declared here, looked up through pyopencl's loader on first use, and called through a
checker that raises an error with the name of the status. Handles and addresses are plain integers.
"""

import ctypes
from collections.abc import Callable, Sequence
from ctypes import byref, c_char_p, c_int32, c_size_t, c_uint32, c_void_p
from functools import cache
from importlib import import_module
from typing import Any, TypeAlias

import pyopencl as cl

from dovetail.errors import DeviceError
from dovetail.runtime.backend import MemoryKind

_Function: TypeAlias = Callable[..., Any]
_Types: TypeAlias = tuple[type[c_char_p | c_int32 | c_size_t | c_uint32 | c_void_p], ...]
"""The return type of a function, then its parameter types."""

_CORE: dict[str, _Types] = {
    "clBuildProgram": (c_int32, c_void_p, c_uint32, c_void_p, c_char_p, c_void_p, c_void_p),
    "clCompileProgram": (
        *(c_int32, c_void_p, c_uint32, c_void_p, c_char_p),
        *(c_uint32, c_void_p, c_void_p, c_void_p, c_void_p),
    ),
    "clLinkProgram": (
        *(c_void_p, c_void_p, c_uint32, c_void_p, c_char_p),
        *(c_uint32, c_void_p, c_void_p, c_void_p, c_void_p),
    ),
    "clSetProgramSpecializationConstant": (c_int32, c_void_p, c_uint32, c_size_t, c_char_p),
    "clGetProgramBuildInfo": (c_int32, c_void_p, c_void_p, c_uint32, c_size_t, c_void_p, c_void_p),
    "clCreateKernel": (c_void_p, c_void_p, c_char_p, c_void_p),
    "clGetDeviceInfo": (c_int32, c_void_p, c_uint32, c_size_t, c_void_p, c_void_p),
    "clGetExtensionFunctionAddressForPlatform": (c_void_p, c_void_p, c_char_p),
    "clSetKernelExecInfo": (c_int32, c_void_p, c_uint32, c_size_t, c_void_p),
}

_DEVICE_ALLOCATION: _Types = (
    *(c_void_p, c_void_p, c_void_p, c_void_p),
    *(c_size_t, c_uint32, c_void_p),
)
_UNIFIED_MEMORY: dict[str, _Types] = {
    "clHostMemAllocINTEL": (c_void_p, c_void_p, c_void_p, c_size_t, c_uint32, c_void_p),
    "clDeviceMemAllocINTEL": _DEVICE_ALLOCATION,
    "clSharedMemAllocINTEL": _DEVICE_ALLOCATION,
    "clMemFreeINTEL": (c_int32, c_void_p, c_void_p),
    "clSetKernelArgMemPointerINTEL": (c_int32, c_void_p, c_uint32, c_void_p),
    "clEnqueueMemcpyINTEL": (
        *(c_int32, c_void_p, c_uint32, c_void_p, c_void_p, c_size_t),
        *(c_uint32, c_void_p, c_void_p),
    ),
    "clEnqueueMemFillINTEL": (
        *(c_int32, c_void_p, c_void_p, c_char_p, c_size_t, c_size_t),
        *(c_uint32, c_void_p, c_void_p),
    ),
}
UNIFIED_MEMORY_EXTENSION = "cl_intel_unified_shared_memory"

_BUILD_LOG = 0x1183  # CL_PROGRAM_BUILD_LOG
# CL_KERNEL_EXEC_INFO_INDIRECT_{HOST,DEVICE,SHARED}_ACCESS_INTEL
_INDIRECT_ACCESS = (0x4200, 0x4201, 0x4202)


def status_error(call: str, status: int) -> DeviceError:
    """Return the error for a call that returned `status`."""
    return DeviceError(f"{call} failed: {status_name(status)}")


def status_name(status: int) -> str:
    """Return OpenCL's name of a status, or the number for a vendor's status."""
    return str(cl.status_code.to_string(status, "status %d"))


def build_program(program: int, device: int, options: str = "") -> int:
    """Build for one device and return the status; other threads run meanwhile."""
    handle = c_void_p(device)
    words = options.encode()
    return int(_core("clBuildProgram")(program, 1, byref(handle), words, None, None))


def set_specialization_constant(program: int, spec_id: int, value: bytes) -> int:
    """Set the value of a scalar specialization constant; return the status."""
    set_value = _core("clSetProgramSpecializationConstant")
    return int(set_value(program, spec_id, len(value), value))


def compile_program(program: int, device: int) -> int:
    """Compile for linking and return the status; other threads run meanwhile."""
    handle = c_void_p(device)
    compile_ = _core("clCompileProgram")
    return int(compile_(program, 1, byref(handle), b"", 0, None, None, None, None))


def link_programs(context: int, device: int, programs: Sequence[int]) -> tuple[int, int]:
    """Link compiled programs; return the new program, which the caller owns, and the status.

    After a failure, the program contains the log, or is 0.
    """
    handle, status = c_void_p(device), c_int32()
    parts = (c_void_p * len(programs))(*programs)
    arguments = (1, byref(handle), b"", len(parts), parts, None, None, byref(status))
    linked = _core("clLinkProgram")(context, *arguments)
    return int(linked or 0), status.value


def build_log(program: int, device: int) -> str:
    """Return the driver's log of the last build, compilation or linking of the program."""
    get, size = _core("clGetProgramBuildInfo"), c_size_t()
    if get(program, device, _BUILD_LOG, 0, None, byref(size)):
        return ""
    text = ctypes.create_string_buffer(size.value)
    if get(program, device, _BUILD_LOG, size.value, text, None):
        return ""
    # Drivers print names from the code, which can be any bytes.
    return text.value.decode(errors="replace").strip()


def create_kernel(program: int, symbol: str) -> tuple[int, int]:
    """Return a new kernel object, which the caller owns, or 0, and the status."""
    status = c_int32()
    kernel = _core("clCreateKernel")(program, symbol.encode(), byref(status))
    return int(kernel or 0), status.value


def device_sizes(device: int, query: int) -> tuple[int, ...]:
    """Return a device property of several `size_t`; empty if the driver does not have it."""
    get, size = _core("clGetDeviceInfo"), c_size_t()
    if get(device, query, 0, None, byref(size)):
        return ()
    values = (c_size_t * (size.value // ctypes.sizeof(c_size_t)))()
    _checked("clGetDeviceInfo", get(device, query, ctypes.sizeof(values), values, None))
    return tuple(values)


def device_bytes(device: int, query: int) -> bytes:
    """Return a device property as bytes; empty if the driver does not have it."""
    get, size = _core("clGetDeviceInfo"), c_size_t()
    if get(device, query, 0, None, byref(size)):
        return b""
    value = ctypes.create_string_buffer(size.value)
    _checked("clGetDeviceInfo", get(device, query, size.value, value, None))
    return value.raw


def device_number(device: int, query: int) -> int:
    """Return a device property of type `cl_uint`; 0 if the driver does not have it."""
    value = c_uint32()
    get = _core("clGetDeviceInfo")
    return 0 if get(device, query, ctypes.sizeof(value), byref(value), None) else value.value


def allow_indirect_access(kernel: int) -> None:
    """Let a kernel access USM allocations that are not among its arguments."""
    yes = c_uint32(1)
    for kind in _INDIRECT_ACCESS:
        status = _core("clSetKernelExecInfo")(kernel, kind, ctypes.sizeof(yes), byref(yes))
        _checked("clSetKernelExecInfo", status)


class UnifiedMemory:
    """A platform's functions for unified shared memory."""

    def __init__(self, platform: int) -> None:
        self._functions = {
            name: _extension_function(platform, name, types)
            for name, types in _UNIFIED_MEMORY.items()
        }

    def allocate(
        self, kind: MemoryKind, context: int, device: int, size: int, alignment: int = 0
    ) -> int:
        """Allocate memory and return its address."""
        name = f"cl{kind.capitalize()}MemAllocINTEL"
        owner = (context,) if kind is MemoryKind.HOST else (context, device)
        status = c_int32()
        address = self._functions[name](*owner, None, size, alignment, byref(status))
        _checked(name, status.value)
        return int(address)

    def free(self, context: int, address: int) -> None:
        """Free memory, which no work in flight may use."""
        self._call("clMemFreeINTEL", context, address)

    def set_argument(self, kernel: int, index: int, address: int | None) -> None:
        self._call("clSetKernelArgMemPointerINTEL", kernel, index, address)

    def copy(
        self, queue: int, target: int, source: int, size: int, after: Sequence[int] = ()
    ) -> int:
        """Start a copy; return the handle of its event, which the caller owns."""
        return self._enqueue("clEnqueueMemcpyINTEL", (queue, 0, target, source, size), after)

    def fill(
        self, queue: int, target: int, pattern: bytes, size: int, after: Sequence[int] = ()
    ) -> int:
        """Start a fill; return the handle of its event, which the caller owns."""
        arguments = (queue, target, pattern, len(pattern), size)
        return self._enqueue("clEnqueueMemFillINTEL", arguments, after)

    def _enqueue(self, name: str, arguments: tuple[object, ...], after: Sequence[int]) -> int:
        event = c_void_p()
        # A list of no events must be null.
        events = (c_void_p * len(after))(*after) if after else None
        self._call(name, *arguments, len(after), events, byref(event))
        return int(event.value or 0)

    def _call(self, name: str, *arguments: object) -> None:
        _checked(name, self._functions[name](*arguments))


def _checked(call: str, status: int) -> None:
    if status:
        raise status_error(call, status)


@cache
def _core(name: str) -> _Function:
    # pyopencl's extension module links to the loader, so the loader's symbols are found in it.
    function = getattr(ctypes.CDLL(import_module("pyopencl._cl").__file__), name)
    function.restype, *function.argtypes = _CORE[name]
    return function


def _extension_function(platform: int, name: str, types: _Types) -> _Function:
    address = _core("clGetExtensionFunctionAddressForPlatform")(platform, name.encode())
    if not address:
        raise DeviceError(f"the driver lists {UNIFIED_MEMORY_EXTENSION}, but does not have {name}")
    return ctypes.CFUNCTYPE(*types)(address)
