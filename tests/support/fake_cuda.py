"""A made-up NVIDIA driver, with the functions of `cuda.bindings.driver` that the back-end uses.

It has the real bindings' types and enumerations, checks handles and arguments strictly, reads real
cubins, compiles PTX with the real ptxas, and runs kernels on the CPU by their SPIR-V. Streams are
as lazy as a driver may be: nothing runs before something waits for it, and then only what is
needed. So work whose dependency is missing sees old values.
"""

import functools
import inspect
import struct
import threading
import time
from collections.abc import Callable
from ctypes import addressof, c_char, c_uint64, c_void_p, memmove, memset, string_at
from dataclasses import dataclass, field
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from fake_cubins import FakeFunction, RefusedCode, compiled, functions_of
from fake_kernels import CpuKernels

bindings: Any = import_module("cuda.bindings.driver")
R: Any = bindings.CUresult

_ATTRIBUTES = {
    "MAX_THREADS_PER_BLOCK": 1024,
    "MAX_BLOCK_DIM_X": 1024,
    "MAX_BLOCK_DIM_Y": 1024,
    "MAX_BLOCK_DIM_Z": 64,
    "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN": 227 * 1024,
    "MULTIPROCESSOR_COUNT": 132,
    "CLOCK_RATE": 1_980_000,
    "CONCURRENT_MANAGED_ACCESS": 1,
    "HOST_NATIVE_ATOMIC_SUPPORTED": 0,
    "PAGEABLE_MEMORY_ACCESS": 0,
    "PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES": 0,
    "L2_CACHE_SIZE": 50 << 20,
    "ECC_ENABLED": 1,
    "INTEGRATED": 0,
}


class Failed(Exception):
    """A call fails with a status."""


@dataclass
class Recording:
    """A place in a stream that an event was recorded at."""

    stream: "FakeStream"
    place: int
    seconds: float = 0.0


@dataclass
class FakeStream:
    """Commands in order, of which the first ones are done."""

    commands: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])
    done: int = 0

    def advance(self, place: int) -> None:
        """Run the commands up to a place."""
        while self.done < place:
            self.done += 1
            self.commands[self.done - 1]()


@dataclass
class FakeEvent:
    """An event, and where it was recorded last."""

    flags: int
    recording: Recording | None = None


@dataclass
class FakeMemory:
    """An allocation."""

    kind: str
    size: int
    content: Any


def entry(outputs: int = 0, *, in_context: bool = True) -> Callable[..., Any]:
    """Make a function of the driver: it is called by one thread at a time and returns a status."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(self: "FakeCuda", *arguments: Any) -> tuple[Any, ...]:
            inspect.signature(function).bind(self, *arguments)
            with self.lock:
                self.calls.append(function.__name__)
                self.examples[function.__name__] = arguments
                try:
                    if in_context:
                        self.check_context()
                    if self.failing.get(function.__name__):
                        raise Failed(self.failing[function.__name__].pop(0))
                    results = function(self, *arguments)
                except Failed as failed:
                    return (failed.args[0], *[None] * outputs)
            if outputs == 0:
                return (R.CUDA_SUCCESS,)
            return (R.CUDA_SUCCESS, *(results if outputs > 1 else (results,)))

        return call

    return decorate


class FakeCuda:
    """The driver, with one or several GPUs of one architecture."""

    def __init__(
        self,
        capability: tuple[int, int] = (9, 0),
        *,
        count: int = 1,
        memory: int = 1 << 30,
        version: int = 13000,
        **attributes: int,
    ) -> None:
        self.lock = threading.RLock()
        self.attributes = _ATTRIBUTES | attributes
        self.attributes["COMPUTE_CAPABILITY_MAJOR"] = capability[0]
        self.attributes["COMPUTE_CAPABILITY_MINOR"] = capability[1]
        self.capability, self.count, self.memory, self.version = capability, count, memory, version
        self.kernels = CpuKernels()
        self.calls: list[str] = []
        """The names of all calls so far."""
        self.examples: dict[str, tuple[Any, ...]] = {}
        """The arguments of the last call of each function."""
        self.failing: dict[str, list[Any]] = {}
        """The statuses that the next calls of functions return."""
        self.faults: dict[str, Any] = {}
        """The statuses that kernels fail with, by symbol."""
        self.launches: list[tuple[str, tuple[int, ...], tuple[int, ...], int]] = []
        self.sticky: Any = None
        """The status of all calls once a kernel has failed."""
        self.live: dict[tuple[str, int], Any] = {}
        """What handles refer to, by type and number."""
        self._numbers = iter(range(0x100, 1 << 40))
        self.allocations: dict[int, FakeMemory] = {}
        self._current = threading.local()
        self._contexts: dict[int, int] = {}

    def __getattr__(self, name: str) -> Any:
        # Types and enumerations; functions begin with lower-case letters.
        if name.startswith("CU"):
            return getattr(bindings, name)
        raise AttributeError(f"the made-up driver has no {name}")

    # Handles and contexts

    def new_handle(self, kind: str, thing: Any) -> Any:
        number = next(self._numbers)
        self.live[kind, number] = thing
        return getattr(bindings, kind)(number)

    def at(self, kind: str, handle: Any) -> Any:
        if not isinstance(handle, getattr(bindings, kind)) or (kind, int(handle)) not in self.live:
            raise Failed(R.CUDA_ERROR_INVALID_HANDLE)
        return self.live[kind, int(handle)]

    def check_context(self) -> None:
        number = getattr(self._current, "context", None)
        if number is None or ("CUcontext", number) not in self.live:
            raise Failed(R.CUDA_ERROR_INVALID_CONTEXT)
        if self.sticky is not None:
            raise Failed(self.sticky)

    def _check_device(self, device: Any) -> int:
        if not isinstance(device, bindings.CUdevice) or not 0 <= int(device) < self.count:
            raise Failed(R.CUDA_ERROR_INVALID_DEVICE)
        return int(device)

    @entry(in_context=False)
    def cuInit(self, flags: int) -> None:
        assert flags == 0
        if not self.count:
            raise Failed(R.CUDA_ERROR_NO_DEVICE)

    @entry(1, in_context=False)
    def cuDriverGetVersion(self) -> int:
        return self.version

    @entry(1, in_context=False)
    def cuDeviceGetCount(self) -> int:
        return self.count

    @entry(1, in_context=False)
    def cuDeviceGet(self, number: int) -> Any:
        device = bindings.CUdevice(number)
        self._check_device(device)
        return device

    @entry(1, in_context=False)
    def cuDeviceGetName(self, length: int, device: Any) -> bytes:
        return f"Made-up GPU {self._check_device(device)}".encode().ljust(length, b"\0")

    @entry(1, in_context=False)
    def cuDeviceGetPCIBusId(self, length: int, device: Any) -> bytes:
        return f"0000:{self._check_device(device):02x}:00.0".encode().ljust(length, b"\0")

    @entry(1, in_context=False)
    def cuDeviceGetUuid(self, device: Any) -> Any:
        return SimpleNamespace(bytes=bytes([self._check_device(device)] * 16))

    @entry(1, in_context=False)
    def cuDeviceTotalMem(self, device: Any) -> int:
        self._check_device(device)
        return self.memory

    @entry(1, in_context=False)
    def cuDeviceGetAttribute(self, attribute: Any, device: Any) -> int:
        assert isinstance(attribute, bindings.CUdevice_attribute)
        self._check_device(device)
        return self.attributes[attribute.name.removeprefix("CU_DEVICE_ATTRIBUTE_")]

    @entry(1, in_context=False)
    def cuDevicePrimaryCtxRetain(self, device: Any) -> Any:
        number = self._check_device(device)
        if number not in self._contexts:
            self._contexts[number] = int(self.new_handle("CUcontext", number))
        return bindings.CUcontext(self._contexts[number])

    @entry(in_context=False)
    def cuDevicePrimaryCtxReset(self, device: Any) -> None:
        number = self._check_device(device)
        context = self._contexts.pop(number, None)
        self.sticky = None
        self.allocations.clear()
        self.live = {key: each for key, each in self.live.items() if key != ("CUcontext", context)}
        self.live = {key: each for key, each in self.live.items() if key[0] == "CUcontext"}

    @entry(in_context=False)
    def cuCtxSetCurrent(self, context: Any) -> None:
        self.at("CUcontext", context)
        self._current.context = int(context)

    # Streams and events

    @entry(1)
    def cuStreamCreate(self, flags: int) -> Any:
        assert flags == bindings.CUstream_flags.CU_STREAM_NON_BLOCKING
        return self.new_handle("CUstream", FakeStream())

    @entry()
    def cuStreamDestroy(self, stream: Any) -> None:
        self.at("CUstream", stream).advance(len(self.at("CUstream", stream).commands))
        del self.live["CUstream", int(stream)]

    @entry()
    def cuStreamWaitEvent(self, stream: Any, event: Any, flags: int) -> None:
        assert flags == 0
        recording = self.at("CUevent", event).recording
        if recording is not None:
            self._enqueue(stream, lambda: recording.stream.advance(recording.place))

    @entry(1)
    def cuEventCreate(self, flags: int) -> Any:
        return self.new_handle("CUevent", FakeEvent(flags))

    @entry()
    def cuEventRecord(self, event: Any, stream: Any) -> None:
        target = self.at("CUstream", stream)
        recording = Recording(target, len(target.commands) + 1)

        def note() -> None:
            recording.seconds = time.perf_counter()

        self.at("CUevent", event).recording = recording
        self._enqueue(stream, note)

    @entry()
    def cuEventQuery(self, event: Any) -> None:
        recording = self.at("CUevent", event).recording
        if recording is not None and recording.stream.done < recording.place:
            # One command at a time, as if it took a while.
            recording.stream.advance(recording.stream.done + 1)
            self.check_context()
            raise Failed(R.CUDA_ERROR_NOT_READY)

    @entry()
    def cuEventSynchronize(self, event: Any) -> None:
        recording = self.at("CUevent", event).recording
        if recording is not None:
            recording.stream.advance(recording.place)
        self.check_context()

    @entry(1)
    def cuEventElapsedTime(self, start: Any, end: Any) -> float:
        first, last = self.at("CUevent", start), self.at("CUevent", end)
        if (first.flags | last.flags) & bindings.CUevent_flags.CU_EVENT_DISABLE_TIMING:
            raise Failed(R.CUDA_ERROR_INVALID_HANDLE)
        for each in (first.recording, last.recording):
            if each is None or each.stream.done < each.place:
                raise Failed(R.CUDA_ERROR_NOT_READY)
        # As exact as the driver: a 32-bit number of milliseconds.
        elapsed = 1000 * (last.recording.seconds - first.recording.seconds)
        return struct.unpack("f", struct.pack("f", elapsed))[0]

    def _enqueue(self, stream: Any, command: Callable[[], None]) -> None:
        target = self.at("CUstream", stream)

        def run() -> None:
            # After a failure, nothing of the context runs.
            if self.sticky is None:
                command()

        target.commands.append(run)

    def _finish(self, stream: FakeStream) -> None:
        stream.advance(len(stream.commands))
        self.check_context()

    def _run_all(self) -> None:
        for kind, _ in tuple(self.live):
            if kind == "CUstream":
                for stream in [each for key, each in self.live.items() if key[0] == kind]:
                    self._finish(stream)
                return

    # Memory

    @property
    def used(self) -> int:
        """Bytes that are allocated on the GPU; managed memory is not there before it is used."""
        return sum(each.size for each in self.allocations.values() if each.kind == "device")

    def allocate(self, kind: str, size: int) -> int:
        if size <= 0:
            raise Failed(R.CUDA_ERROR_INVALID_VALUE)
        if kind == "device" and self.used + size > self.memory:
            raise Failed(R.CUDA_ERROR_OUT_OF_MEMORY)
        content = (c_char * (size + 256))()
        address = -(-addressof(content) // 256) * 256
        self.allocations[address] = FakeMemory(kind, size, content)
        return address

    @entry(1)
    def cuMemAlloc(self, size: int) -> Any:
        return bindings.CUdeviceptr(self.allocate("device", size))

    @entry(1)
    def cuMemAllocManaged(self, size: int, flags: int) -> Any:
        assert flags == bindings.CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL
        return bindings.CUdeviceptr(self.allocate("managed", size))

    @entry(1)
    def cuMemHostAlloc(self, size: int, flags: int) -> int:
        assert flags == 3
        return self.allocate("host", size)

    @entry()
    def cuMemFree(self, address: int) -> None:
        self._free(address, ("device", "managed"))

    @entry()
    def cuMemFreeHost(self, address: int) -> None:
        self._free(address, ("host",))

    def _free(self, address: int, kinds: tuple[str, ...]) -> None:
        # The driver waits for everything.
        self._run_all()
        if int(address) not in self.allocations or self.allocations[int(address)].kind not in kinds:
            raise Failed(R.CUDA_ERROR_INVALID_VALUE)
        del self.allocations[int(address)]

    @entry(2)
    def cuMemGetInfo(self) -> tuple[int, int]:
        return self.memory - self.used, self.memory

    def _room(self, address: int) -> int | None:
        """Return the bytes from an address to the end of its allocation; None for other memory."""
        for base, each in self.allocations.items():
            if base <= address < base + each.size:
                return base + each.size - address
        return None

    @entry()
    def cuMemcpyAsync(self, target: int, source: int, size: int, stream: Any) -> None:
        rooms = [self._room(address) for address in (target, source)]
        if any(room is not None and room < size for room in rooms):
            raise Failed(R.CUDA_ERROR_INVALID_VALUE)

        def copy() -> None:
            memmove(target, source, size)

        self._enqueue(stream, copy)
        if None in rooms:
            # With memory that is not page-locked, the driver may wait.
            self._finish(self.at("CUstream", stream))

    def _set(self, address: int, value: int, width: int, count: int, stream: Any) -> None:
        room = self._room(address)
        if room is None or room < width * count or address % width or value >= 1 << 8 * width:
            raise Failed(R.CUDA_ERROR_INVALID_VALUE)
        content = value.to_bytes(width, "little") * count

        def write() -> None:
            if width == 1:
                memset(address, value, count)
            else:
                memmove(address, content, len(content))

        self._enqueue(stream, write)

    @entry()
    def cuMemsetD8Async(self, target: int, value: int, count: int, stream: Any) -> None:
        self._set(target, value, 1, count, stream)

    @entry()
    def cuMemsetD16Async(self, target: int, value: int, count: int, stream: Any) -> None:
        self._set(target, value, 2, count, stream)

    @entry()
    def cuMemsetD32Async(self, target: int, value: int, count: int, stream: Any) -> None:
        self._set(target, value, 4, count, stream)

    # Code

    @entry(1)
    def cuLinkCreate(self, count: int, options: list[Any], values: list[Any]) -> Any:
        assert count == len(options) == len(values)
        log = values[[each.name for each in options].index("CU_JIT_ERROR_LOG_BUFFER")]
        return self.new_handle("CUlinkState", SimpleNamespace(parts=[], log=log, cubin=None))

    @entry()
    def cuLinkAddData(
        self,
        state: Any,
        kind: Any,
        data: bytes,
        size: int,
        name: bytes,
        count: int,
        options: list[Any],
        values: list[Any],
    ) -> None:
        assert kind == bindings.CUjitInputType.CU_JIT_INPUT_PTX
        assert (len(data), count, options, values) == (size, 0, [], [])
        assert isinstance(name, bytes)
        if not data.endswith(b"\0"):
            raise Failed(R.CUDA_ERROR_INVALID_PTX)
        self.at("CUlinkState", state).parts.append(data)

    @entry(2)
    def cuLinkComplete(self, state: Any) -> tuple[int, int]:
        linker = self.at("CUlinkState", state)
        major, minor = self.capability
        try:
            cubin = compiled(linker.parts, f"sm_{major}{minor}")
        except RefusedCode as refused:
            said = str(refused).encode()[: len(linker.log) - 1]
            linker.log[: len(said)] = said
            raise Failed(R.CUDA_ERROR_INVALID_PTX) from None
        linker.cubin = (c_char * len(cubin)).from_buffer_copy(cubin)
        return addressof(linker.cubin), len(cubin)

    @entry()
    def cuLinkDestroy(self, state: Any) -> None:
        self.at("CUlinkState", state)
        del self.live["CUlinkState", int(state)]

    @entry(1)
    def cuModuleLoadData(self, image: bytes) -> Any:
        # Loading may wait for everything.
        self._run_all()
        try:
            return self.new_handle("CUmodule", functions_of(bytes(image)))
        except RefusedCode:
            raise Failed(R.CUDA_ERROR_INVALID_IMAGE) from None

    @entry()
    def cuModuleUnload(self, module: Any) -> None:
        self._run_all()
        self.at("CUmodule", module)
        del self.live["CUmodule", int(module)]

    @entry(1)
    def cuModuleGetFunction(self, module: Any, name: bytes) -> Any:
        assert isinstance(name, bytes)
        functions = self.at("CUmodule", module)
        if name.decode() not in functions:
            raise Failed(R.CUDA_ERROR_NOT_FOUND)
        return self.new_handle("CUfunction", functions[name.decode()])

    @entry(1)
    def cuFuncGetAttribute(self, attribute: Any, function: Any) -> int:
        found: FakeFunction = self.at("CUfunction", function)
        return {
            "CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK": found.registers_limit,
            "CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES": 0,
        }[attribute.name]

    @entry(2)
    def cuFuncGetParamInfo(self, function: Any, index: int) -> tuple[int, int]:
        places = self.at("CUfunction", function).places
        if index not in places:
            raise Failed(R.CUDA_ERROR_INVALID_VALUE)
        return places[index]

    @entry()
    def cuFuncSetAttribute(self, function: Any, attribute: Any, value: int) -> None:
        assert attribute.name == "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES"
        found = self.at("CUfunction", function)
        if value + found.static_local > self.attributes["MAX_SHARED_MEMORY_PER_BLOCK_OPTIN"]:
            raise Failed(R.CUDA_ERROR_INVALID_VALUE)
        found.dynamic_local = value

    @entry()
    def cuLaunchKernel(
        self,
        function: Any,
        grid_x: int,
        grid_y: int,
        grid_z: int,
        group_x: int,
        group_y: int,
        group_z: int,
        local_memory: int,
        stream: Any,
        parameters: int,
        extra: int,
    ) -> None:
        found: FakeFunction = self.at("CUfunction", function)
        groups, group = (grid_x, grid_y, grid_z), (group_x, group_y, group_z)
        self._check_launch(found, groups, group, local_memory)
        assert extra == 0
        values = _arguments(found, parameters)
        self.launches.append((found.symbol, groups, group, local_memory))

        def run() -> None:
            self.sticky = self.faults.pop(found.symbol, None)
            if self.sticky is None and not self._reaches(found.symbol, values):
                self.sticky = R.CUDA_ERROR_ILLEGAL_ADDRESS
            if self.sticky is None:
                self.kernels.run(found.symbol, values, groups, group, local_memory)

        self._enqueue(stream, run)

    def _check_launch(
        self,
        function: FakeFunction,
        groups: tuple[int, ...],
        group: tuple[int, ...],
        local_memory: int,
    ) -> None:
        if not all(1 <= count <= most for count, most in zip(groups, _MOST_GROUPS, strict=True)):
            raise Failed(R.CUDA_ERROR_INVALID_VALUE)
        items = group[0] * group[1] * group[2]
        if not 1 <= items <= 1024 or group[2] > 64:
            raise Failed(R.CUDA_ERROR_INVALID_VALUE)
        if function.required and function.required != group:
            raise Failed(R.CUDA_ERROR_INVALID_VALUE)
        if local_memory > function.dynamic_local:
            raise Failed(R.CUDA_ERROR_INVALID_VALUE)
        if items > function.registers_limit:
            raise Failed(R.CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)

    def _reaches(self, symbol: str, values: list[bytes]) -> bool:
        addresses = self.kernels.pointers(symbol, values)
        return all(not address or self._room(address) is not None for address in addresses)


_MOST_GROUPS = (2**31 - 1, 65535, 65535)


def _arguments(function: FakeFunction, parameters: int) -> list[bytes]:
    """Return the arguments, copied when the kernel is launched."""
    count = len(function.places)
    addresses = (c_void_p * count).from_address(parameters)
    first = addresses[0] or 0 if count else 0
    for number in range(count):
        # The back-end keeps all arguments in one block with the layout of the device.
        offset = function.places[number][0] - function.places[0][0]
        assert (addresses[number] or 0) == first + offset
    return [
        string_at(addresses[number] or 0, function.places[number][1]) for number in range(count)
    ]


def word_at(address: int) -> int:
    """Return 8 bytes of memory as a number."""
    return c_uint64.from_address(address).value
