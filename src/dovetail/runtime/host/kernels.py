"""Running kernels that host code starts: by symbol, with the kernel object's bytes."""

from collections import deque
from collections.abc import Mapping, Sequence
from ctypes import c_char, c_char_p, c_void_p, cast, string_at
from dataclasses import dataclass
from functools import lru_cache
from struct import Struct
from threading import Lock
from typing import TypeAlias

from dovetail.errors import DovetailError, FormatError, KernelNotFound, nearest
from dovetail.kernel_info import ArgumentMember, KernelInfo
from dovetail.runtime.backend import BackendAllocation, BackendKernel, BackendQueue, NativeEvent
from dovetail.runtime.demangle import demangled
from dovetail.runtime.device import Device
from dovetail.runtime.group_size import uneven_group
from dovetail.runtime.host.errc import Errc, HostError
from dovetail.runtime.host.handles import NONE
from dovetail.runtime.host.libraries import NO_LIBRARY, Libraries, library_at
from dovetail.runtime.host.queue import Queue, Work
from dovetail.runtime.host.structures import KernelLaunch
from dovetail.runtime.kernel import TAKING_TURNS, Kernel
from dovetail.runtime.nd_range import NdRange, RangeError
from dovetail.runtime.program import Program

_WORD = Struct("=Q")
"""A handle, an address or a size in a kernel object."""

# An array type reads memory in a quarter of the time that `string_at` takes.
_common_at = (c_char * KernelLaunch.object.offset).from_address
"""What launches of a kernel over the same range have in common, in a `kernel_launch`."""
_MUCH = 8
"""Changes of a kernel's argument."""
_MOST_READY = 1024
"""Ranges are remembered up to here; a program may use any number."""

Names: TypeAlias = tuple[bytes, bytes]
"""A kernel's symbol and name. Host code keeps their addresses, so they have to stay."""


@dataclass(frozen=True)
class Launch:
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
    def read(cls, address: int) -> "Launch":
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
    """A driver's kernel, which one launch at a time uses, and the argument that it has now.

    Drivers mix up arguments of kernel objects that threads share. A thread that C made has no data
    of its own between two calls, so whoever launches takes one from a stock.
    """

    __slots__ = ("argument", "native")

    def __init__(self, native: BackendKernel) -> None:
        self.native = native
        self.argument: bytes | None = None

    def set_argument(self, data: bytes) -> None:
        """Set the kernel's only argument; a driver's kernel keeps it from launch to launch."""
        if data != self.argument:
            self.argument = None
            self.native.set_bytes(0, data)
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
        self._locals = _offsets(kernel.info, members, "local")
        _check_kinds(kernel.info, members)
        self._idle: dict[Device, deque[KernelObject]] = {}

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
        return KernelObject(built.kernel(self._kernel.symbol, follows_pointers=True))

    def take(self, device: Device) -> KernelObject:
        """A kernel object that nobody else uses."""
        try:
            return self.idle(device).popleft()
        except IndexError:
            return self.new_object(device)

    def give_back(self, device: Device, kernel: KernelObject) -> None:
        """Let others use the kernel object."""
        self._idle[device].append(kernel)

    def check(self, launch: Launch, device: Device) -> NdRange | None:
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

    def _check_local_memory(self, launch: Launch, device: Device) -> None:
        wanted = sum(_word(launch.object, offset) for offset in self._locals)
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
        for number, offset in enumerate(self._locals, start=1):
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
class RunKernel:
    """The command that runs a kernel."""

    kernel: HostKernel
    object: KernelObject
    launch: Launch
    sizes: DriverSizes

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

    __slots__ = ("_changes", "_device", "_idle", "_kernel", "_object_at", "_offset", "_sizes")

    def __init__(
        self, kernel: HostKernel, launch: Launch, nd_range: NdRange, device: Device
    ) -> None:
        self._kernel = kernel
        self._device = device
        self._idle = kernel.idle(device)
        taken = kernel.take(device)
        self._sizes = driver_sizes(nd_range, device, taken)
        kernel.give_back(device, taken)
        self._offset = launch.offset
        self._changes = 0
        self._object_at = (c_char * len(launch.object)).from_address

    def start(self, queue: Queue, object_address: int) -> Work:
        """Start the kernel with the object there, behind nothing but what the queue has."""
        data = self._object_at(object_address).raw
        idle, pending, work = self._idle, queue.pending, Work()
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
            launched = pending.queue.launch(kernel.native, whole, local, self._offset)
            work.natives = work.measured = (launched,)
        except BaseException as error:
            pending.give_up(work, error)
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
        if self._changes % _MUCH == 0 and len(self._idle) < TAKING_TURNS - 1:
            self._idle.append(self._kernel.new_object(self._device))


class HostKernels:
    """The kernels of all programs that are loaded, by symbol.

    Libraries that know nothing of each other may have kernels of the same symbol. Each starts its
    own: where the text of a symbol lies tells whose it is.
    """

    def __init__(self) -> None:
        self.libraries = Libraries()
        self._bases: dict[Program, int] = {}
        """All programs, kept for the functions that others import; where each one's library is."""
        self._kernels: dict[str, dict[int, Kernel]] = {}
        """By symbol and library; the newest last."""
        self._found: dict[Kernel, HostKernel] = {}
        self._names: dict[tuple[str, int], Names] = {}
        self._name_owners: dict[int, int] = {}
        """The library of each symbol that host code got from here, by the text's address."""
        self._lock = Lock()
        self._ready: dict[Device, dict[bytes, ReadyLaunch]] = {}
        """By what launches have in common, as host code writes it."""

    def add(self, program: Program, library: int = NO_LIBRARY) -> None:
        """Let host code start the program's kernels, rather than older ones of the same symbol.

        Host code of other libraries goes on to start those that it came with.
        """
        with self._lock:
            self._bases.pop(program, None)
            self._bases[program] = library
            self._list_kernels()

    def remove(self, program: Program) -> None:
        """Forget the program; what others import of it is looked for anew."""
        with self._lock:
            del self._bases[program]
            self._list_kernels()
            self._found = {}
            for kernels in self._kernels.values():
                for kernel in kernels.values():
                    kernel.forget_imports()

    def _list_kernels(self) -> None:
        # A new table each time: others read the old one without a lock.
        kernels: dict[str, dict[int, Kernel]] = {}
        for program, library in self._bases.items():
            for kernel in program:
                same = kernels.setdefault(kernel.symbol, {})
                same.pop(library, None)
                same[library] = kernel
        self._kernels = kernels
        self._ready = {}

    def _keep_up(self) -> None:
        """Know of libraries that were loaded and unloaded."""
        if self.libraries.have_changed:
            self.libraries.keep_up(self.add, self.remove)

    def ready_launch(self, device: Device, launch: int) -> ReadyLaunch | None:
        """What is known of the launch at that address; None if it has to go the long way."""
        libraries = self.libraries
        if libraries.list.changes != libraries.changes_seen:
            self._keep_up()
        common = _common_at(launch).raw
        try:
            return self._ready[device][common]
        except KeyError:
            return self._make_ready(device, common, Launch.read(launch))

    def _make_ready(self, device: Device, common: bytes, launch: Launch) -> ReadyLaunch | None:
        kernel = self.find(launch.symbol, launch.symbol_address)
        nd_range = kernel.check(launch, device)
        if nd_range is None or not kernel.takes_plain_bytes:
            return None
        ready = self._ready.setdefault(device, {})
        if len(ready) >= _MOST_READY:
            ready.clear()
        ready[common] = made = ReadyLaunch(kernel, launch, nd_range, device)
        return made

    def find(self, symbol: str, text_address: int = 0) -> HostKernel:
        """The kernel with that symbol, ready to be started."""
        kernel = self.kernel(symbol, text_address)
        with self._lock:
            found = self._found.get(kernel)
            if found is None:
                found = self._found[kernel] = HostKernel(kernel)
        return found

    def kernel(self, symbol: str, text_address: int = 0) -> Kernel:
        """The kernel with that symbol: of the library that has the symbol's text, if it has it."""
        self._keep_up()
        found = self._kernels.get(symbol)
        if found is None:
            raise self._not_found(symbol)
        own = found.get(self._owner(text_address)) if len(found) > 1 else None
        return own or next(reversed(found.values()))

    def _not_found(self, symbol: str) -> KernelNotFound:
        names = sorted({kernel.name for same in self._kernels.values() for kernel in same.values()})
        name = demangled(symbol).removeprefix("typeinfo name for ")
        return KernelNotFound(
            f"the program has no device code for kernel '{name}';"
            f" it has: {', '.join(names) or 'no kernels'}",
            hint=_hint(name, names),
        )

    def _owner(self, text_address: int) -> int:
        given = self._name_owners.get(text_address)
        if given is not None:
            return given
        library = library_at(text_address).base
        return library if library in self._bases.values() else NO_LIBRARY

    def fit(self, symbol: str, device: Device, text_address: int = 0) -> DovetailError | None:
        """What a launch of the kernel would raise before any code is built; None if nothing."""
        try:
            return self.kernel(symbol, text_address).fit(device)
        except KernelNotFound as error:
            return error

    def names_of(self, symbol: str, text_address: int = 0) -> Names:
        """How host code knows the kernel; the same objects whenever it asks."""
        kernel = self.kernel(symbol, text_address)
        library = next(at for at, same in self._kernels[symbol].items() if same is kernel)
        return self._names_in(kernel, library)

    def all_names(self) -> list[Names]:
        """`names_of` all kernels."""
        self._keep_up()
        kernels = self._kernels.values()
        return [self._names_in(kernel, at) for same in kernels for at, kernel in same.items()]

    def _names_in(self, kernel: Kernel, library: int) -> Names:
        key = (kernel.symbol, library)
        with self._lock:
            if key not in self._names:
                names = self._names[key] = (kernel.symbol.encode(), kernel.name.encode())
                self._name_owners[_text_address(names[0])] = library
            return self._names[key]


def driver_sizes(nd_range: NdRange, device: Device, kernel: KernelObject) -> DriverSizes:
    """What the driver is given for a range; without a local size, it is one of plain items."""
    whole, local = nd_range.innermost_first
    description = device.description
    if local is None and description.takes_uneven_groups:
        local = uneven_group(whole, kernel.native.largest_group, description.compute_units)
    return whole, local


def _text_address(text: bytes) -> int:
    return cast(c_char_p(text), c_void_p).value or 0


@lru_cache(256)
def _range(whole: tuple[int, ...], local: tuple[int, ...] | None) -> NdRange:
    """Programs launch over the same few ranges again and again."""
    return NdRange(whole, local)


def _hint(name: str, names: Sequence[str]) -> str:
    """What a name that no kernel has may come from."""
    short = name.rpartition("::")[2]
    if short in names:
        return (
            f"kernel '{short}' is named by another class: one that is declared in a function is"
            " known there alone, so declare it outside"
        )
    return nearest(name, names)


def _word(data: bytes, offset: int) -> int:
    value: int = _WORD.unpack_from(data, offset)[0]
    return value


def _offsets(info: KernelInfo, members: Sequence[ArgumentMember], kind: str) -> list[int]:
    """Where the members of that kind are; programs come from anywhere, so they are checked."""
    offsets = [member.offset for member in members if member.kind == kind]
    if offsets and max(offsets) + _WORD.size > info.parameters[0].size:
        raise FormatError(f"the description of kernel '{info.name}' has a member outside of it")
    return offsets


def _check_kinds(info: KernelInfo, members: Sequence[ArgumentMember]) -> None:
    for member in members:
        if member.kind not in ("buffer", "local"):
            raise HostError(
                Errc.KERNEL_NOT_SUPPORTED,
                f"kernel '{info.name}' captures a '{member.type}', which this runtime does not know"
                f" how to pass ('{member.kind}')",
            )
