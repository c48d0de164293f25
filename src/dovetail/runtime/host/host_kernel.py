"""Kernels that host code launches: from the bytes of their function object to the driver."""

from collections import deque
from collections.abc import Mapping, Sequence
from ctypes import c_char, c_void_p, string_at
from dataclasses import dataclass
from functools import lru_cache
from struct import Struct
from typing import TYPE_CHECKING, TypeAlias

from dovetail.errors import FormatError
from dovetail.kernel_info import (
    LOCAL,
    POINTERS,
    ArgumentMember,
    InnerArgument,
    KernelInfo,
    inner_arguments,
)
from dovetail.runtime.backend import (
    BackendAllocation,
    BackendDevice,
    BackendKernel,
    BackendQueue,
    NativeEvent,
)
from dovetail.runtime.device import Device
from dovetail.runtime.group_size import uneven_group
from dovetail.runtime.host.errc import Errc, HostError
from dovetail.runtime.host.handles import NONE
from dovetail.runtime.host.queue import HostQueue, QueuedCommand, QueueWork
from dovetail.runtime.host.structures import KernelLaunch
from dovetail.runtime.kernel import MAX_PREPARED_LAUNCHES, Kernel
from dovetail.runtime.nd_range import NdRange, RangeError

if TYPE_CHECKING:
    from dovetail.runtime.assertions import AssertionReader

_WORD = Struct("=Q")
"""A handle, an address or a size in a function object."""

REBINDS_PER_OBJECT = 8
"""The number of changes of a kernel's argument after which it gets another kernel object."""


@dataclass(frozen=True)
class HostLaunch:
    """The data of a `kernel_launch`, checked as far as possible without the kernel."""

    symbol: str
    symbol_address: int
    """The address of the symbol's text in host code."""
    function_object: bytes
    range: NdRange | None
    """None if there are no work-items."""
    offset: tuple[int, ...] | None
    """Innermost dimension first, as drivers expect it."""
    dimensions: int
    constants: int
    """The number of its values of specialization constants; 0 if all have their default values."""

    @classmethod
    def read(cls, address: int) -> "HostLaunch":
        """Read the launch at an address."""
        data = KernelLaunch.from_address(address)
        count: int = data.dimensions
        if count > 3:
            raise HostError(Errc.ND_RANGE, f"expected a range of up to 3 dimensions, got {count}")
        whole = tuple(getattr(data, "global"))[:count] or (1,)
        local = tuple(data.local)[:count] if data.has_local else None
        offset = tuple(data.offset)[:count][::-1]
        return cls(
            symbol=data.kernel.decode(errors="replace"),
            symbol_address=c_void_p.from_buffer(data, KernelLaunch.kernel.offset).value or 0,
            function_object=string_at(data.object, data.object_size),
            range=_range(whole, local if count else (1,)) if all(whole) else None,
            offset=offset if any(offset) else None,
            dimensions=count,
            constants=data.constants,
        )


DriverSizes: TypeAlias = tuple[tuple[int, ...], tuple[int, ...] | None]
"""A range and its work-groups, innermost dimension first; None if the driver chooses them."""


class KernelObject:
    """A driver's kernel object, used by one launch at a time, and its current argument.

    Drivers mix up the arguments of kernel objects that threads share, and threads that C created
    have no thread-local data between calls. So each launch takes an idle kernel object.
    """

    __slots__ = ("_device", "_pointers", "argument", "native")

    def __init__(
        self, native: BackendKernel, device: BackendDevice, pointers: Sequence[tuple[int, int]] = ()
    ) -> None:
        """`pointers`: argument number and offset of addresses in the function object."""
        self.native = native
        self._device = device
        self._pointers = pointers
        self.argument: bytes | None = None

    def set_argument(self, data: bytes) -> None:
        """Set the function object as argument, unless it is set from the previous launch."""
        if data != self.argument:
            self.argument = None
            self.native.set_bytes(0, data)
            for number, offset in self._pointers:
                self.native.set_pointer(number, self._device.address_argument(_word(data, offset)))
            self.argument = data


class HostKernel:
    """A kernel whose argument is one function object, and the members that the runtime replaces."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        parameters = kernel.parameters
        if len(parameters) > 1:
            raise HostError(
                Errc.KERNEL_ARGUMENT,
                f"kernel '{kernel.name}': expected one object as parameter, got {len(parameters)}"
                " parameters",
            )
        self._size = parameters[0].size if parameters else 0
        members = parameters[0].members if parameters else ()
        self._buffers = _offsets(kernel.info, members, "buffer")
        inner = inner_arguments(parameters)
        self._locals = _inner_offsets(kernel.info, inner, (LOCAL,))
        self._pointers = _inner_offsets(kernel.info, inner, POINTERS)
        _check_kinds(kernel.info, members)
        self._idle: dict[Device, deque[KernelObject]] = {}
        self._readers: dict[Device, AssertionReader | None] = {}

    @property
    def has_only_plain_bytes(self) -> bool:
        """Whether the only argument is the function object, unchanged."""
        return bool(self._size) and not self._buffers and not self._locals

    def idle(self, device: Device) -> "deque[KernelObject]":
        """Return the kernel objects that no launch uses."""
        return self._idle.setdefault(device, deque())

    def new_object(self, device: Device) -> KernelObject:
        """Return a new kernel object; build the kernel if it is the first."""
        built = self._kernel.built_for(device)
        info = self._kernel.info
        native = built.kernel(info.symbol, follows_pointers=True, label=info.label)
        return KernelObject(native, device.native, self._pointers)

    def reader(self, device: Device) -> "AssertionReader | None":
        """Return the reader of the kernel's failed assertions; None if it has no assertions."""
        if device not in self._readers:
            self._readers[device] = self._kernel.assertion_reader(device, aborts=True)
        return self._readers[device]

    def acquire(self, device: Device) -> KernelObject:
        """Return a kernel object for exclusive use."""
        try:
            return self.idle(device).popleft()
        except IndexError:
            return self.new_object(device)

    def release(self, device: Device, kernel: KernelObject) -> None:
        """Give the kernel object back, for other launches."""
        self._idle[device].append(kernel)

    def check(self, launch: HostLaunch, device: Device) -> NdRange | None:
        """Return the range to launch over; raise an error if the launch is invalid."""
        name, wanted = self._kernel.name, self._kernel.dimensions
        required = self._kernel.work_group_size(device)
        if self._size and len(launch.function_object) != self._size:
            raise HostError(
                Errc.KERNEL_ARGUMENT,
                f"the object of kernel '{name}' has {len(launch.function_object)} bytes on the host"
                f" and {self._size} on the device",
            )
        if wanted is not None and wanted != launch.dimensions:
            raise RangeError(
                f"kernel '{name}': expected a range of {wanted} dimensions, got {launch.dimensions}"
            )
        self._check_local_memory(launch, device)
        if launch.range is None:
            return None
        launch.range.check_fits(device.description)
        return launch.range.with_required(name, required)

    def _check_local_memory(self, launch: HostLaunch, device: Device) -> None:
        """Raise `HostError` if a work-group needs more local memory than the device has."""
        wanted = sum(_word(launch.function_object, offset) for _, offset in self._locals)
        available = device.limits.local_memory
        if wanted > available:
            raise HostError(
                Errc.MEMORY_ALLOCATION,
                f"kernel '{self._kernel.name}' needs {wanted} bytes of local memory per work-group;"
                f" '{device.name}' has {available}",
            )

    def set_arguments(
        self, kernel: KernelObject, data: bytes, memory: Mapping[int, BackendAllocation]
    ) -> None:
        """Set the function object and the arguments for its local memory."""
        if not self._size:
            return
        kernel.set_argument(self._patched(data, memory) if self._buffers else data)
        for number, offset in self._locals:
            # Drivers do not allocate 0 bytes.
            kernel.native.set_local(number, max(_word(data, offset), 1))

    def _patched(self, data: bytes, memory: Mapping[int, BackendAllocation]) -> bytes:
        """Return the function object with the addresses of buffers instead of their handles."""
        patched = bytearray(data)
        for offset in self._buffers:
            handle = _word(data, offset)
            if handle != NONE and handle not in memory:
                raise HostError(
                    Errc.KERNEL_ARGUMENT,
                    f"kernel '{self._kernel.name}' uses an accessor that its command group does"
                    " not require",
                    hint="call handler::require for placeholder accessors",
                )
            address = 0 if handle == NONE else memory[handle].address
            _WORD.pack_into(patched, offset, address)
        return bytes(patched)


@dataclass(frozen=True)
class RunKernel(QueuedCommand):
    """The command that runs a kernel."""

    kernel: HostKernel
    kernel_object: KernelObject
    launch: HostLaunch
    sizes: DriverSizes
    assertion_reader: "AssertionReader | None"

    @property
    def reader(self) -> "AssertionReader | None":
        return self.assertion_reader

    def start(
        self,
        queue: BackendQueue,
        memory: Mapping[int, BackendAllocation],
        after: Sequence[NativeEvent],
    ) -> tuple[NativeEvent, ...]:
        self.kernel.set_arguments(self.kernel_object, self.launch.function_object, memory)
        native = self.kernel_object.native
        return (queue.launch(native, *self.sizes, self.launch.offset, after),)


class ReadyLaunch:
    """The common part of launches of a kernel over the same range, checked once."""

    __slots__ = (
        "_changes",
        "_device",
        "_idle",
        "_kernel",
        "_object_at",
        "_offset",
        "_reader",
        "_sizes",
    )

    def __init__(
        self, kernel: HostKernel, launch: HostLaunch, nd_range: NdRange, device: Device
    ) -> None:
        self._kernel = kernel
        self._device = device
        self._idle = kernel.idle(device)
        acquired = kernel.acquire(device)
        self._sizes = driver_sizes(nd_range, device, acquired)
        kernel.release(device, acquired)
        self._reader = kernel.reader(device)
        self._offset = launch.offset
        self._changes = 0
        self._object_at = (c_char * len(launch.function_object)).from_address

    def start(self, queue: HostQueue, object_address: int) -> QueueWork:
        """Start the kernel with the function object at an address; only the queue orders it."""
        data = self._object_at(object_address).raw
        idle, pending, work = self._idle, queue.pending, QueueWork()
        work.owner = queue
        try:
            kernel = idle.popleft()
        except IndexError:
            kernel = self._kernel.new_object(self._device)
        try:
            if data != kernel.argument:
                self._change_argument(kernel, data)
            whole, local = self._sizes
            pending.add(work, self)
            work.reader = self._reader
            launched = pending.queue.launch(kernel.native, whole, local, self._offset)
            work.natives = work.measured = (launched,)
        except BaseException as error:
            pending.start_failed(work, error)
            raise
        finally:
            idle.append(kernel)
        # The program may never wait for it, but work of other queues may.
        pending.queue.flush()
        return work

    def _change_argument(self, kernel: KernelObject, data: bytes) -> None:
        """Set the function object; if it changes often, add an idle kernel object."""
        kernel.set_argument(data)
        self._changes += 1
        # Many programs use two or three arguments in turn: each then has a kernel object in which
        # it is already set.
        if self._changes % REBINDS_PER_OBJECT == 0 and len(self._idle) < MAX_PREPARED_LAUNCHES - 1:
            self._idle.append(self._kernel.new_object(self._device))


def driver_sizes(nd_range: NdRange, device: Device, kernel: KernelObject) -> DriverSizes:
    """Return the sizes for the driver; for plain ranges, possibly with non-uniform groups."""
    whole, local = nd_range.innermost_first
    description = device.description
    if local is None and description.supports_non_uniform_groups:
        local = uneven_group(whole, kernel.native.largest_group, description.compute_units)
    return whole, local


@lru_cache(256)
def _range(whole: tuple[int, ...], local: tuple[int, ...] | None) -> NdRange:
    """Return the range; cached, since programs launch over the same few ranges."""
    return NdRange(whole, local)


def _word(data: bytes, offset: int) -> int:
    value: int = _WORD.unpack_from(data, offset)[0]
    return value


def _offsets(info: KernelInfo, members: Sequence[ArgumentMember], kind: str) -> list[int]:
    """Return the offsets of the members of a kind; raise `FormatError` if one is outside."""
    offsets = [member.offset for member in members if member.kind == kind]
    if offsets and max(offsets) + _WORD.size > info.parameters[0].size:
        raise FormatError(
            f"the description of kernel '{info.name}' has a member outside of its object"
        )
    return offsets


def _inner_offsets(
    info: KernelInfo, inner: Sequence[InnerArgument], kinds: Sequence[str]
) -> list[tuple[int, int]]:
    """Return number and offset of the inner arguments of these kinds."""
    members = [each.member for each in inner]
    for kind in kinds:
        _offsets(info, members, kind)
    return [(each.number, each.member.offset) for each in inner if each.member.kind in kinds]


def _check_kinds(info: KernelInfo, members: Sequence[ArgumentMember]) -> None:
    """Raise `HostError` if the object has a member that the runtime cannot pass."""
    for member in members:
        if member.kind not in ("buffer", LOCAL, *POINTERS):
            raise HostError(
                Errc.KERNEL_NOT_SUPPORTED,
                f"kernel '{info.name}' captures a '{member.type}', which this runtime cannot pass"
                f" ('{member.kind}')",
            )
