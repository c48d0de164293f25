"""The functions of NVIDIA's driver that are used, through `cuda.bindings.driver`.

All are declared here and called through a checker that raises an error with the name of the status.
The bindings have no type annotations, so handles are opaque.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeAlias

from dovetail.errors import DeviceError

Handle: TypeAlias = Any
"""A handle in the bindings' own type, such as `CUstream`."""

Bindings: TypeAlias = Any
"""The module `cuda.bindings.driver`, or an object with the same functions."""

FUNCTIONS: dict[str, tuple[str, ...]] = {
    "cuInit": ("flags",),
    "cuDriverGetVersion": (),
    "cuDeviceGet": ("number",),
    "cuDeviceGetAttribute": ("attribute", "device"),
    "cuDeviceGetCount": (),
    "cuDeviceGetName": ("length", "device"),
    "cuDeviceGetPCIBusId": ("length", "device"),
    "cuDeviceGetUuid": ("device",),
    "cuDeviceTotalMem": ("device",),
    "cuDevicePrimaryCtxRetain": ("device",),
    "cuDevicePrimaryCtxReset": ("device",),
    "cuCtxSetCurrent": ("context",),
    "cuStreamCreate": ("flags",),
    "cuStreamDestroy": ("stream",),
    "cuStreamWaitEvent": ("stream", "event", "flags"),
    "cuEventCreate": ("flags",),
    "cuEventElapsedTime": ("start", "end"),
    "cuEventQuery": ("event",),
    "cuEventRecord": ("event", "stream"),
    "cuEventSynchronize": ("event",),
    "cuMemAlloc": ("size",),
    "cuMemAllocManaged": ("size", "flags"),
    "cuMemHostAlloc": ("size", "flags"),
    "cuMemFree": ("address",),
    "cuMemFreeHost": ("address",),
    "cuMemGetInfo": (),
    "cuMemcpyAsync": ("target", "source", "size", "stream"),
    "cuMemsetD8Async": ("target", "value", "count", "stream"),
    "cuMemsetD16Async": ("target", "value", "count", "stream"),
    "cuMemsetD32Async": ("target", "value", "count", "stream"),
    "cuLinkCreate": ("count", "options", "values"),
    "cuLinkAddData": ("state", "type", "data", "size", "name", "count", "options", "values"),
    "cuLinkComplete": ("state",),
    "cuLinkDestroy": ("state",),
    "cuModuleLoadData": ("image",),
    "cuModuleUnload": ("module",),
    "cuModuleGetFunction": ("module", "name"),
    "cuModuleGetGlobal": ("module", "name"),
    "cuFuncGetAttribute": ("attribute", "function"),
    "cuFuncGetParamInfo": ("function", "index"),
    "cuFuncSetAttribute": ("function", "attribute", "value"),
    "cuLaunchKernel": (
        *("function", "grid_x", "grid_y", "grid_z", "group_x", "group_y", "group_z"),
        *("local_memory", "stream", "parameters", "extra"),
    ),
}
"""The functions, and what their parameters mean."""

SUCCESS = 0
INVALID_VALUE = 1
OUT_OF_MEMORY = 2
NO_DEVICE = 100
NOT_FOUND = 500
NOT_READY = 600
OUT_OF_RESOURCES = 701
ASSERT = 710

_CAUSES = {
    700: "it accessed memory at an invalid address",
    702: "it ran longer than the system allows",
    ASSERT: "an assertion in it failed; the driver has printed which",
    714: "its stack or a hardware resource was corrupted",
    715: "it executed an illegal instruction",
    716: "it accessed memory at a misaligned address",
    717: "it used an address of the wrong address space",
    718: "it jumped to an invalid address",
    719: "it failed on the device",
    721: "it did not free the tensor memory that it allocated",
}
"""What a kernel did, by the status of errors after which its context is unusable."""

_DEVICE_CAUSES = {
    46: "the device is unavailable",
    214: "the device's memory has an error that cannot be corrected",
    220: "the connection to another device failed",
    226: "a part of it has an error, which was contained",
    709: "its context was destroyed",
    999: "the driver reports an unknown error",
}
"""What happened to the device, by the status of errors after which its context is unusable."""


class CudaError(DeviceError):
    """A call of the driver failed."""

    def __init__(self, call: str, status: int, name: str) -> None:
        super().__init__(f"{call} failed: {name}")
        self.status = status
        self.status_name = name

    @property
    def cause(self) -> str:
        """What a kernel did that made the context unusable; empty if it was something else."""
        return _CAUSES.get(self.status, "")

    @property
    def device_cause(self) -> str:
        """What happened to the device that made the context unusable; empty if nothing did."""
        return _DEVICE_CAUSES.get(self.status, "")

    @property
    def is_fatal(self) -> bool:
        """Whether the context is unusable from now on."""
        return self.status in _CAUSES or self.status in _DEVICE_CAUSES


class Driver:
    """NVIDIA's driver."""

    def __init__(self, bindings: Bindings) -> None:
        self._bindings = bindings
        self._functions: dict[str, Callable[..., Any]] = {}

    def call(self, name: str, *arguments: object) -> Any:
        """Call a function; return its result, or several as a tuple; raise `CudaError`."""
        status, *results = self.function(name)(*arguments)
        if status != SUCCESS:
            raise self.error(name, status)
        return results[0] if len(results) == 1 else tuple(results)

    def function(self, name: str) -> Callable[..., Any]:
        """Return a function of the bindings, which returns a tuple that begins with the status."""
        found = self._functions.get(name)
        if found is None:
            assert name in FUNCTIONS, name
            found = self._functions[name] = getattr(self._bindings, name)
        return found

    def error(self, call: str, status: int) -> CudaError:
        """Return the error for a call that returned `status`."""
        return CudaError(call, int(status), getattr(status, "name", f"status {int(status)}"))

    def device_attribute(self, name: str, device: Handle) -> int:
        """Return an attribute of a device; 0 if the driver does not know it."""
        attributes = self._bindings.CUdevice_attribute
        attribute = getattr(attributes, f"CU_DEVICE_ATTRIBUTE_{name}", None)
        if attribute is None:
            return 0
        status, value = self.function("cuDeviceGetAttribute")(attribute, device)
        return 0 if status else int(value)

    def function_attribute(self, name: str) -> Any:
        """Return the enumerator of an attribute of functions."""
        return getattr(self._bindings.CUfunction_attribute, f"CU_FUNC_ATTRIBUTE_{name}")

    @cached_property
    def ptx_input(self) -> Any:
        """The enumerator for PTX among the inputs of the linker."""
        return self._bindings.CUjitInputType.CU_JIT_INPUT_PTX

    @cached_property
    def log_options(self) -> tuple[Any, Any]:
        """The linker's options for a buffer with its errors, and for the size of that buffer."""
        options = self._bindings.CUjit_option
        return (
            options.CU_JIT_ERROR_LOG_BUFFER,
            options.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
        )

    def address(self, address: int) -> Handle:
        """Return an address of device memory in the bindings' type."""
        return self._bindings.CUdeviceptr(address)

    def stream(self, number: int) -> Handle:
        """Return a stream of another library, by its number."""
        return self._bindings.CUstream(number)
