"""One kernel that host code starts: its object's bytes in, what the driver is given out."""

from collections import deque
from collections.abc import Mapping, Sequence
from ctypes import c_char, c_void_p, string_at
from dataclasses import dataclass
from functools import lru_cache
from struct import Struct
from typing import TypeAlias

from dovetail.errors import FormatError
from dovetail.kernel_info import (
    LOCAL,
    POINTERS,
    ArgumentMember,
    InnerArgument,
    KernelInfo,
    inner_arguments,
)
from dovetail.runtime.assertions import AbortingReader, AssertionReader
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

_WORD = Struct("=Q")
"""A handle, an address or a size in a kernel object."""

REBINDS_PER_OBJECT = 8
"""After so many changes of a kernel's argument, it gets another kernel object."""


@dataclass(frozen=True)
class HostLaunch:
    """One `kernel_launch`, read and checked as far as it goes by itself."""

    symbol: str
    symbol_address: int
    """Where host code has the symbol's text."""
    object: bytes
    range: NdRange | None
    """None if there are no work-items."""
    offset: tuple[int, ...] | None
    """Innermost first, as drivers want it."""
    dimensions: int

    @classmethod
    def read(cls, address: int) -> "HostLaunch":
        """The launch at that address."""
        data = KernelLaunch.from_address(address)
        count: int = data.dimensions
        if count > 3:
            raise HostError(Errc.ND_RANGE, f"a range cannot have {count} dimensions")
        whole = tuple(getattr(data, "global"))[:count] or (1,)
        local = tuple(data.local)[:count] if data.has_local else None
        offset = tuple(data.offset)[:count][::-1]
        return cls(
            symbol=data.kernel.decode(errors="replace"),
            symbol_address=c_void_p.from_buffer(data, KernelLaunch.kernel.offset).value or 0,
            object=string_at(data.object, data.object_size),
            range=_range(whole, local if count else (1,)) if all(whole) else None,
            offset=offset if any(offset) else None,
            dimensions=count,
        )


DriverSizes: TypeAlias = tuple[tuple[int, ...], tuple[int, ...] | None]
"""A range and its work-groups, innermost dimension first; None if the driver chooses them."""


class KernelObject:
    """A driver's kernel, which one launch at a time uses, and the object that it has now.

    Drivers mix up arguments of kernel objects that threads share. A thread that C made has no data
    of its own between two calls, so whoever launches takes one from a stock.
    """

    __slots__ = ("_device", "_pointers", "argument", "native")

    def __init__(
        self, native: BackendKernel, device: BackendDevice, pointers: Sequence[tuple[int, int]] = ()
    ) -> None:
        """`pointers`: number and place of addresses in the object that are arguments, too."""
        self.native = native
        self._device = device
        self._pointers = pointers
        self.argument: bytes | None = None

    def set_argument(self, data: bytes) -> None:
        """Hand over the kernel's object; a driver's kernel keeps it from launch to launch."""
        if data != self.argument:
            self.argument = None
            self.native.set_bytes(0, data)
            for number, offset in self._pointers:
                self.native.set_pointer(number, self._device.address_argument(_word(data, offset)))
            self.argument = data


class HostKernel:
    """A kernel that takes one object, and what inside of it the runtime has to see to."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        parameters = kernel.parameters
        if len(parameters) > 1:
            raise HostError(
                Errc.KERNEL_ARGUMENT,
                f"kernel '{kernel.name}' takes {len(parameters)} arguments, not one object",
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
    def takes_plain_bytes(self) -> bool:
        """Whether the object goes to the device as it is, and nothing else does."""
        return bool(self._size) and not self._buffers and not self._locals

    def idle(self, device: Device) -> "deque[KernelObject]":
        """The stock of kernel objects that nobody uses now."""
        return self._idle.setdefault(device, deque())

    def new_object(self, device: Device) -> KernelObject:
        """Another kernel object, built if it is the first."""
        built = self._kernel.built_for(device)
        native = built.kernel(self._kernel.symbol, follows_pointers=True)
        return KernelObject(native, device.native, self._pointers)

    def reader(self, device: Device) -> AssertionReader | None:
        """Who knows whether an assertion of the kernel failed; None if it has none."""
        if device not in self._readers:
            self._readers[device] = self._kernel.assertion_reader(device, AbortingReader)
        return self._readers[device]

    def take(self, device: Device) -> KernelObject:
        """A kernel object that nobody else uses."""
        try:
            return self.idle(device).popleft()
        except IndexError:
            return self.new_object(device)

    def give_back(self, device: Device, kernel: KernelObject) -> None:
        """Let others use the kernel object."""
        self._idle[device].append(kernel)

    def check(self, launch: HostLaunch, device: Device) -> NdRange | None:
        """The range to launch over; raises what is wrong before anything is started."""
        name, wanted = self._kernel.name, self._kernel.dimensions
        required = self._kernel.work_group_size(device)
        if self._size and len(launch.object) != self._size:
            raise HostError(
                Errc.KERNEL_ARGUMENT,
                f"the object of kernel '{name}' has {len(launch.object)} bytes on the host"
                f" and {self._size} on the device",
            )
        if wanted is not None and wanted != launch.dimensions:
            raise RangeError(
                f"kernel '{name}' is launched over {wanted} dimensions, not {launch.dimensions}"
            )
        self._check_local_memory(launch, device)
        if launch.range is None:
            return None
        launch.range.check_fits(device.description)
        return launch.range.with_required(name, required)

    def _check_local_memory(self, launch: HostLaunch, device: Device) -> None:
        wanted = sum(_word(launch.object, offset) for _, offset in self._locals)
        most = device.limits.local_memory
        if wanted > most:
            raise HostError(
                Errc.MEMORY_ALLOCATION,
                f"kernel '{self._kernel.name}' wants {wanted} bytes of local memory for a"
                f" work-group; '{device.name}' has {most}",
            )

    def set_arguments(
        self, kernel: KernelObject, data: bytes, memory: Mapping[int, BackendAllocation]
    ) -> None:
        """Hand over the object, and what it does not hold itself."""
        if not self._size:
            return
        kernel.set_argument(self._patched(data, memory) if self._buffers else data)
        for number, offset in self._locals:
            # Drivers refuse to allocate nothing.
            kernel.native.set_local(number, max(_word(data, offset), 1))

    def _patched(self, data: bytes, memory: Mapping[int, BackendAllocation]) -> bytes:
        """The object with addresses in the place of the handles of buffers."""
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
    object: KernelObject
    launch: HostLaunch
    sizes: DriverSizes
    assertion_reader: AssertionReader | None

    @property
    def reader(self) -> AssertionReader | None:
        return self.assertion_reader

    def start(
        self,
        queue: BackendQueue,
        memory: Mapping[int, BackendAllocation],
        after: Sequence[NativeEvent],
    ) -> tuple[NativeEvent, ...]:
        self.kernel.set_arguments(self.object, self.launch.object, memory)
        return (queue.launch(self.object.native, *self.sizes, self.launch.offset, after),)


class ReadyLaunch:
    """What launches of a kernel over the same range have in common, checked once and for all."""

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
        taken = kernel.take(device)
        self._sizes = driver_sizes(nd_range, device, taken)
        kernel.give_back(device, taken)
        self._reader = kernel.reader(device)
        self._offset = launch.offset
        self._changes = 0
        self._object_at = (c_char * len(launch.object)).from_address

    def start(self, queue: HostQueue, object_address: int) -> QueueWork:
        """Start the kernel with the object there, behind nothing but what the queue has."""
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
        # Nobody may ever wait for it, and work of other queues may.
        pending.queue.flush()
        return work

    def _change_argument(self, kernel: KernelObject, data: bytes) -> None:
        kernel.set_argument(data)
        self._changes += 1
        # Programs that go through two or three sets of arguments in turn, as many do, come back to
        # a kernel object that has its own already.
        if self._changes % REBINDS_PER_OBJECT == 0 and len(self._idle) < MAX_PREPARED_LAUNCHES - 1:
            self._idle.append(self._kernel.new_object(self._device))


def driver_sizes(nd_range: NdRange, device: Device, kernel: KernelObject) -> DriverSizes:
    """What the driver is given for a range; without a local size, it is one of plain items."""
    whole, local = nd_range.innermost_first
    description = device.description
    if local is None and description.takes_uneven_groups:
        local = uneven_group(whole, kernel.native.largest_group, description.compute_units)
    return whole, local


@lru_cache(256)
def _range(whole: tuple[int, ...], local: tuple[int, ...] | None) -> NdRange:
    """Programs launch over the same few ranges again and again."""
    return NdRange(whole, local)


def _word(data: bytes, offset: int) -> int:
    value: int = _WORD.unpack_from(data, offset)[0]
    return value


def _offsets(info: KernelInfo, members: Sequence[ArgumentMember], kind: str) -> list[int]:
    """Where the members of that kind are; programs come from anywhere, so they are checked."""
    offsets = [member.offset for member in members if member.kind == kind]
    if offsets and max(offsets) + _WORD.size > info.parameters[0].size:
        raise FormatError(f"the description of kernel '{info.name}' has a member outside of it")
    return offsets


def _inner_offsets(
    info: KernelInfo, inner: Sequence[InnerArgument], kinds: Sequence[str]
) -> list[tuple[int, int]]:
    """The further arguments of these kinds, by their number, and where the object has them."""
    members = [each.member for each in inner]
    for kind in kinds:
        _offsets(info, members, kind)
    return [(each.number, each.member.offset) for each in inner if each.member.kind in kinds]


def _check_kinds(info: KernelInfo, members: Sequence[ArgumentMember]) -> None:
    for member in members:
        if member.kind not in ("buffer", LOCAL, *POINTERS):
            raise HostError(
                Errc.KERNEL_NOT_SUPPORTED,
                f"kernel '{info.name}' captures a '{member.type}', which this runtime does not know"
                f" how to pass ('{member.kind}')",
            )
