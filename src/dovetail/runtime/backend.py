"""What the runtime asks of a back-end, and no more.

A back-end is a folder beside this file with one set of file names; `opencl` is the model. It
finds devices and offers each as a `BackendDevice`. All sizes are given innermost dimension first,
as drivers want them. Every failure is raised as a `DovetailError`; a driver's own exceptions do
not get out of its back-end.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from dovetail.capabilities import Capabilities, WorkGroupLimits
from dovetail.errors import DeviceError
from dovetail.targets import aspect_number

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NativeEvent: TypeAlias = Any
"""A driver's own event; only the queue that made it looks inside."""

PointerArgument: TypeAlias = Any
"""An address in the form that the back-end's kernels take quickest."""


class DeviceOutOfMemory(DeviceError):
    """The device has no room for an allocation."""


class DeviceKind(StrEnum):
    """What a device is."""

    GPU = "gpu"
    ACCELERATOR = "accelerator"
    CPU = "cpu"


class MemoryKind(StrEnum):
    """Where an allocation lives and who can reach it."""

    SHARED = "shared"
    """Host and device reach it; the driver moves it."""
    DEVICE = "device"
    """The device alone reaches it; data is copied in and out."""
    HOST = "host"
    """In the host's memory; the device reaches it there."""


class CodeKind(StrEnum):
    """The forms that device code comes in."""

    NATIVE = "native"
    """For one architecture; nothing is left to compile."""
    SPIRV = "SPIR-V"
    PTX = "PTX"
    AMDGCN = "AMDGCN"


Values: TypeAlias = tuple[tuple[int, bool], ...]
"""Of boolean specialization constants, by `SpecId`, ascending."""


@dataclass(frozen=True)
class Code:
    """Device code that a driver is given."""

    kind: CodeKind
    data: bytes
    values: Values = ()
    """For code with conditions. It is specialised before a driver sees it."""
    is_trusted: bool = False
    """Whether it was made of code that is known to be valid."""


@dataclass(frozen=True)
class Limits:
    """The largest things a device takes."""

    max_work_group_size: int
    max_work_item_sizes: tuple[int, ...]
    """Per dimension of a work-group, in SYCL's order: the last is the innermost."""
    local_memory: int
    """Bytes that a work-group can share."""
    global_memory: int
    max_allocation: int
    """Bytes that one allocation can have."""


@dataclass(frozen=True)
class DeviceDescription:
    """What a driver says about a device."""

    backend: str
    platform: str
    name: str
    kind: DeviceKind
    driver_version: str
    limits: Limits
    sub_group_sizes: tuple[int, ...]
    """Empty if the driver does not say."""
    spirv_versions: tuple[str, ...]
    """Such as `1.4`, in ascending order."""
    extensions: frozenset[str]
    aspects: frozenset[str] = frozenset()
    target: str = ""
    """Its name in the table of targets; empty if it is not there."""
    vendor: str = ""
    vendor_id: int = 0
    version: str = ""
    """Of the interface that the device offers, such as `OpenCL 3.0`."""
    platform_vendor: str = ""
    platform_version: str = ""
    compute_units: int = 1
    clock_mhz: int = 0
    """0 if the driver does not say."""
    address_bits: int = 64
    max_sub_groups: int = 0
    """In a work-group; 0 if the driver does not say."""
    takes_uneven_groups: bool = False
    """Whether the last work-group of a dimension may be smaller than the others."""

    @cached_property
    def capabilities(self) -> Capabilities:
        """What the requirements of kernels are compared with."""
        limits = WorkGroupLimits(self.limits.max_work_group_size, self.limits.max_work_item_sizes)
        return Capabilities(
            aspects=frozenset(map(aspect_number, self.aspects)),
            sub_group_sizes=self.sub_group_sizes,
            work_group_limits=limits,
        )


@dataclass(frozen=True)
class Times:
    """When work was handed to the device, started and ended, in nanoseconds of the device."""

    submit: int
    start: int
    end: int


class BackendAllocation(Protocol):
    """Memory that the driver gave; it goes back when the last reference does."""

    @property
    def address(self) -> int: ...

    @property
    def argument(self) -> PointerArgument: ...


class BackendKernel(Protocol):
    """A kernel with its arguments; one thread's own, since drivers mix up shared ones."""

    @property
    def handle(self) -> Any:
        """The driver's own object."""
        ...

    @property
    def largest_group(self) -> int:
        """How many work-items a work-group of the kernel can have."""
        ...

    def set_bytes(self, index: int, data: bytes, /) -> None: ...

    def set_pointer(self, index: int, pointer: PointerArgument, /) -> None: ...

    def set_local(self, index: int, size: int, /) -> None:
        """Give the parameter memory of each work-group's own."""
        ...


class BackendProgram(Protocol):
    """Code built for one device."""

    def kernel(self, symbol: str, *, follows_pointers: bool) -> BackendKernel:
        """A new kernel object.

        `follows_pointers` says that the kernel may reach memory through addresses that are not
        themselves arguments, which drivers must know beforehand.
        """
        ...

    def binary(self) -> bytes:
        """The native code, which the same driver takes back without compiling anything.

        Empty if the driver does not give it out.
        """
        ...


class BackendQueue(Protocol):
    """Work in the order it is given; also after events of other queues of the device."""

    def launch(
        self,
        kernel: BackendKernel,
        global_size: tuple[int, ...],
        local_size: tuple[int, ...] | None,
        offset: tuple[int, ...] | None = None,
        after: Sequence[NativeEvent] = (),
        /,
    ) -> NativeEvent:
        """Start the kernel with the arguments it has now; later ones do not touch this launch."""
        ...

    def copy(
        self, target: int, source: int, size: int, after: Sequence[NativeEvent] = ()
    ) -> NativeEvent:
        """Copy bytes between addresses, of the host or of allocations."""
        ...

    def fill(
        self, target: int, pattern: bytes, size: int, after: Sequence[NativeEvent] = ()
    ) -> NativeEvent:
        """Repeat a pattern whose length is a power of two up to 128 and divides the address."""
        ...

    def marker(self, after: Sequence[NativeEvent] = ()) -> NativeEvent:
        """No work: done when everything before it is."""
        ...

    def times(self, event: NativeEvent, /) -> Times:
        """When finished work of a queue that measures was done."""
        ...

    def flush(self) -> None:
        """See to it that the work given so far is begun, although nobody waits for it."""
        ...

    def wait(self, event: NativeEvent, may_block: bool = False, /) -> None:
        """Return when the work is done, or raise what it failed with; other threads go on.

        An interrupt raises `KeyboardInterrupt` at once, unless the caller may block.
        """
        ...

    def is_done(self, event: NativeEvent, /) -> bool:
        """Whether the work is done or has failed."""
        ...

    def finish(self) -> None:
        """Return when all work given so far is done or has failed."""
        ...


class BackendGate(Protocol):
    """Stands for something that the host has to do: work is put behind its event."""

    @property
    def event(self) -> NativeEvent:
        """Done when the gate is open; for queues of the device that made it."""
        ...

    def open(self) -> None:
        """Let the work behind it begin; once, from any thread."""
        ...


class BackendDevice(Protocol):
    """One device, opened when first used."""

    @property
    def description(self) -> DeviceDescription: ...

    @property
    def reaches_host_memory(self) -> bool:
        """Whether kernels can work on any memory of this process where it lies."""
        ...

    def open_queue(self, *, profiling: bool = False) -> BackendQueue:
        """A new queue; with `profiling`, it can tell the times of its work."""
        ...

    def new_gate(self) -> BackendGate:
        """A gate that is shut. Neither starting work behind it nor a flush waits for it."""
        ...

    def takes(self, kind: CodeKind) -> bool:
        """Whether the driver takes code in that form; native code of the device's own target."""
        ...

    def build(self, parts: Sequence[Code], options: Sequence[str] = ()) -> BackendProgram:
        """Build checked code, several parts linked, or raise `ProgramBuildError` with the log.

        Native code comes alone. Options are for the driver's compiler, and for a single part.
        """
        ...

    def build_settings(self) -> Mapping[str, str]:
        """What else decides what `build` makes, beside the code and what `description` says."""
        ...

    def allocate(self, kind: MemoryKind, size: int, alignment: int = 0) -> BackendAllocation:
        """New memory; the alignment is a power of two, or 0 for what suits the device best."""
        ...

    def address_argument(self, address: int, /) -> PointerArgument: ...

    def array_argument(self, array: "NDArray[np.generic]", /) -> PointerArgument:
        """A contiguous array's memory; only for devices that reach the host's memory."""
        ...


FindDevices: TypeAlias = Callable[[], list[BackendDevice]]
"""What a back-end's `find_devices` is."""
