"""The devices, contexts, streams and events of a mock NVIDIA driver."""

import functools
import inspect
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from types import SimpleNamespace
from typing import Any

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
        def call(self: "FakeDriver", *arguments: Any) -> tuple[Any, ...]:
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


class FakeDriver:
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
        raise AttributeError(f"the mock driver has no {name}")

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
        return f"Mock GPU {self._check_device(device)}".encode().ljust(length, b"\0")

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
            self.enqueue(stream, lambda: recording.stream.advance(recording.place))

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
        self.enqueue(stream, note)

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

    def enqueue(self, stream: Any, command: Callable[[], None]) -> None:
        target = self.at("CUstream", stream)

        def run() -> None:
            # After a failure, nothing of the context runs.
            if self.sticky is None:
                command()

        target.commands.append(run)

    def finish(self, stream: FakeStream) -> None:
        stream.advance(len(stream.commands))
        self.check_context()

    def run_all(self) -> None:
        for kind, _ in tuple(self.live):
            if kind == "CUstream":
                for stream in [each for key, each in self.live.items() if key[0] == kind]:
                    self.finish(stream)
                return
