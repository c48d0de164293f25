"""The interface between the runtime and its back-ends.

A back-end is a folder beside this file with the same file names as `opencl`. Its `find_devices`
offers each device as a `BackendDevice`, and its `why_no_device` says why there is none. All sizes
are given innermost dimension first, as drivers expect them. Every failure is raised as a
`DovetailError`; a driver's own exceptions do not leave its back-end.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias

from dovetail.capabilities import Capabilities, WorkGroupLimits
from dovetail.errors import DeviceError
from dovetail.targets import aspect_number

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NativeEvent: TypeAlias = Any
"""A driver's event; opaque except to the queue that created it."""

PointerArgument: TypeAlias = Any
"""An address in the form that the back-end's kernels accept fastest."""


Detail: TypeAlias = int | str | bytes
"""A property of a device that only programs ask for."""


class DeviceOutOfMemory(DeviceError):
    """The device does not have enough memory for an allocation."""


class DeviceKind(StrEnum):
    """The type of a device."""

    GPU = "gpu"
    ACCELERATOR = "accelerator"
    CPU = "cpu"


class MemoryKind(StrEnum):
    """The kinds of USM allocations."""

    SHARED = "shared"
    """Host and device access it; the driver migrates it."""
    DEVICE = "device"
    """Only the device accesses it; data is copied in and out."""
    HOST = "host"
    """In host memory, where the device accesses it."""


MemoryKindName: TypeAlias = Literal["shared", "device", "host"]
"""The names of the kinds, for type checkers."""


class CodeKind(StrEnum):
    """The formats of device code."""

    NATIVE = "native"
    """Compiled for one architecture."""
    SPIRV = "SPIR-V"
    PTX = "PTX"
    AMDGCN = "AMDGCN"


Values: TypeAlias = tuple[tuple[int, bool], ...]
"""Values of boolean specialization constants by `SpecId`, ascending."""

Specialization: TypeAlias = tuple[tuple[int, bytes], ...]
"""Values of a program's own specialization constants by `SpecId`, ascending: those that differ from
the defaults."""


class VariableValue(NamedTuple):
    """Bytes of a specialization constant that is a variable in the code."""

    symbol: str
    offset: int
    data: bytes


@dataclass(frozen=True)
class Code:
    """Device code to pass to a driver."""

    kind: CodeKind
    data: bytes
    values: Values = ()
    """For code with conditions, which is specialized before it is passed to a driver."""
    specialization: Specialization = ()
    """Values that the driver sets before it compiles the code."""
    variables: tuple[VariableValue, ...] = ()
    """Values that the back-end stores after it has loaded the code."""
    is_trusted: bool = False
    """Whether it was derived from code that is known to be valid."""


@dataclass(frozen=True)
class Limits:
    """The limits of a device."""

    max_work_group_size: int
    max_work_item_sizes: tuple[int, ...]
    """Per dimension of a work-group, in SYCL's order: the last is the innermost."""
    local_memory: int
    """Bytes per work-group."""
    global_memory: int
    max_allocation: int
    """Bytes per allocation."""


@dataclass(frozen=True)
class DeviceDescription:
    """The properties of a device as its driver reports them."""

    backend: str
    platform: str
    name: str
    kind: DeviceKind
    driver_version: str
    limits: Limits
    sub_group_sizes: tuple[int, ...]
    """Empty if the driver does not report them."""
    spirv_versions: tuple[str, ...]
    """Such as `1.4`, in ascending order."""
    extensions: frozenset[str]
    aspects: frozenset[str] = frozenset()
    target: str = ""
    """Its name in the target table; empty if it is not listed there."""
    vendor: str = ""
    vendor_id: int = 0
    version: str = ""
    """Of the API that the device supports, such as `OpenCL 3.0`."""
    platform_vendor: str = ""
    platform_version: str = ""
    compute_units: int = 1
    clock_mhz: int = 0
    """0 if the driver does not report it."""
    address_bits: int = 64
    max_sub_groups: int = 0
    """Per work-group; 0 if the driver does not report it."""
    supports_non_uniform_groups: bool = False
    """Whether the device supports non-uniform work-groups."""

    @cached_property
    def capabilities(self) -> Capabilities:
        """The capabilities that `fit` compares with the requirements of kernels."""
        limits = WorkGroupLimits(self.limits.max_work_group_size, self.limits.max_work_item_sizes)
        return Capabilities(
            aspects=frozenset(map(aspect_number, self.aspects)),
            sub_group_sizes=self.sub_group_sizes,
            work_group_limits=limits,
        )


Durations: TypeAlias = dict[tuple[int, ...] | int, float]
"""Of a kernel: seconds of quick launches, by the range, and by the bit length of its size."""


@dataclass(frozen=True)
class Times:
    """When a command was enqueued, submitted to the device, started and ended, in nanoseconds.

    All are times of one clock, the device's or the host's.
    """

    queued: int
    submit: int
    start: int
    end: int


class BackendAllocation(Protocol):
    """An allocation of the driver; freed with its last reference."""

    @property
    def address(self) -> int: ...

    @property
    def argument(self) -> PointerArgument: ...


class BackendKernel(Protocol):
    """A kernel with its arguments; for one thread at a time, since arguments are its state."""

    @property
    def handle(self) -> Any:
        """The driver's object."""
        ...

    @property
    def durations(self) -> Durations:
        """How long launches took, as the queue recorded them."""
        ...

    @property
    def largest_group(self) -> int:
        """The maximum number of work-items in a work-group of the kernel."""
        ...

    def detail(self, name: str) -> int:
        """Return a property by its name in `info::kernel_device_specific`."""
        ...

    def set_bytes(self, index: int, data: bytes, /) -> None: ...

    def set_pointer(self, index: int, pointer: PointerArgument, /) -> None: ...

    def set_local(self, index: int, size: int, /) -> None:
        """Set a local-memory argument of `size` bytes."""
        ...


class BackendProgram(Protocol):
    """Code built for one device."""

    def kernel(self, symbol: str, *, follows_pointers: bool, label: str = "") -> BackendKernel:
        """Return a new kernel object; `label` is its name in messages, by default the symbol.

        `follows_pointers` says that the kernel may access allocations that are not among its
        arguments, which drivers must know before the launch.
        """
        ...

    def binary(self) -> bytes:
        """Return the native code, which the same driver loads without compiling it.

        Empty if the driver does not support that.
        """
        ...


class BackendQueue(Protocol):
    """An in-order queue; commands can also wait for events of the device's other queues."""

    def launch(
        self,
        kernel: BackendKernel,
        global_size: tuple[int, ...],
        local_size: tuple[int, ...] | None,
        offset: tuple[int, ...] | None = None,
        after: Sequence[NativeEvent] = (),
        /,
    ) -> NativeEvent:
        """Start the kernel with its current arguments; later changes do not affect this launch."""
        ...

    def copy(
        self, target: int, source: int, size: int, after: Sequence[NativeEvent] = ()
    ) -> NativeEvent:
        """Copy bytes between addresses of host memory or allocations."""
        ...

    def fill(
        self, target: int, pattern: bytes, size: int, after: Sequence[NativeEvent] = ()
    ) -> NativeEvent:
        """Fill memory with a pattern, of a power of two up to 128 bytes that divides `target`."""
        ...

    def marker(self, after: Sequence[NativeEvent] = ()) -> NativeEvent:
        """Enqueue a marker, which completes when all earlier commands have."""
        ...

    def times(self, event: NativeEvent, /) -> Times:
        """Return the profiling times of a finished command; the queue must have profiling."""
        ...

    def flush(self) -> None:
        """Submit all enqueued commands to the device."""
        ...

    def wait(self, event: NativeEvent, may_block: bool = False, /) -> None:
        """Wait for a command, and raise its error if it failed; other threads run meanwhile.

        With `may_block`, an interrupt may raise `KeyboardInterrupt` only after the wait.
        """
        ...

    def is_done(self, event: NativeEvent, /) -> bool:
        """Whether the command has completed or failed."""
        ...

    def finish(self) -> None:
        """Wait until all enqueued commands have completed or failed."""
        ...


class BackendGate(Protocol):
    """An event that the host completes, such as OpenCL's user events; commands wait for it."""

    @property
    def event(self) -> NativeEvent:
        """Complete when the gate is open; for queues of the device that created it."""
        ...

    def open(self) -> None:
        """Complete the event; to be called once, from any thread."""
        ...


class BackendDevice(Protocol):
    """A device, opened on first use."""

    @property
    def description(self) -> DeviceDescription: ...

    def detail(self, name: str) -> Detail | None:
        """Return a property by its name in `info::device`, in the numbers of OpenCL.

        None if the driver does not report it.
        """
        ...

    @property
    def reaches_host_memory(self) -> bool:
        """Whether kernels can access all host memory, even if it is not a USM allocation."""
        ...

    @property
    def rejects_bad_code(self) -> bool:
        """Whether `build` raises an error for invalid code, which makes some drivers crash."""
        ...

    @property
    def stores_constants(self) -> bool:
        """Whether specialization constants are variables in native code, which `build` sets."""
        ...

    @property
    def is_lost(self) -> bool:
        """Whether the device cannot be used any more, since work on it failed."""
        ...

    def renewed(self) -> "BackendDevice":
        """Return a usable object for a lost device; memory, code and queues of this one are lost.

        Raise `DeviceError` if the device cannot be used at all.
        """
        ...

    def open_queue(self, *, profiling: bool = False) -> BackendQueue:
        """Return a new queue; with `profiling`, it measures the times of its commands."""
        ...

    def new_gate(self) -> BackendGate:
        """Return a closed gate. Neither enqueuing commands that wait for it nor a flush blocks."""
        ...

    def supports(self, kind: CodeKind) -> bool:
        """Whether the driver accepts code of that kind; native code for the device's target."""
        ...

    def build(self, parts: Sequence[Code], options: Sequence[str] = ()) -> BackendProgram:
        """Build validated code, linking several parts, or raise `ProgramBuildError` with the log.

        Native code must be a single part. Options are for the driver's compiler, and only for a
        single part.
        """
        ...

    def build_settings(self) -> Mapping[str, str]:
        """Settings that affect the result of `build`, besides the code and the description."""
        ...

    def allocate(self, kind: MemoryKind, size: int, alignment: int = 0) -> BackendAllocation:
        """Allocate memory; the alignment is a power of two, or 0 for the driver's default."""
        ...

    @property
    def ordinal(self) -> int:
        """Its number in CUDA; 0 in other back-ends."""
        ...

    def wait_for_stream(self, stream: int) -> None:
        """Wait for the work of another library in one of its streams; only CUDA has streams."""
        ...

    def address_argument(self, address: int, /) -> PointerArgument: ...

    def array_argument(self, array: "NDArray[np.generic]", /) -> PointerArgument:
        """Return a contiguous array as argument; only if `reaches_host_memory`."""
        ...


FindDevices: TypeAlias = Callable[[], list[BackendDevice]]
"""The type of a back-end's `find_devices`."""
