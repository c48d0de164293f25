"""Running kernels that host code starts: by symbol, with the kernel object's bytes."""

from collections import deque
from collections.abc import Mapping, Sequence
from ctypes import string_at
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
from dovetail.runtime.host.errc import Errc, HostError
from dovetail.runtime.host.handles import NONE
from dovetail.runtime.host.structures import KernelLaunch
from dovetail.runtime.kernel import Kernel
from dovetail.runtime.nd_range import NdRange, RangeError
from dovetail.runtime.program import Program

_WORD = Struct("=Q")
"""A handle, an address or a size in a kernel object."""

Names: TypeAlias = tuple[bytes, bytes]
"""A kernel's symbol and name. Host code keeps their addresses, so they have to stay."""


@dataclass(frozen=True)
class Launch:
    """One `kernel_launch`, read and checked as far as it goes by itself."""

    symbol: str
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
            object=string_at(data.object, data.object_size),
            range=_range(whole, local if count else (1,)) if all(whole) else None,
            offset=offset if any(offset) else None,
            dimensions=count,
        )


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
        # Drivers mix up arguments of kernel objects that threads share. A thread that C made has
        # no data of its own between two calls, so whoever launches takes one from here.
        self._idle: dict[Device, deque[BackendKernel]] = {}

    def take(self, device: Device) -> BackendKernel:
        """A kernel object that nobody else uses, built when first needed."""
        idle = self._idle.setdefault(device, deque())
        try:
            return idle.pop()
        except IndexError:
            built = self._kernel.built_for(device)
            return built.kernel(self._kernel.symbol, follows_pointers=True)

    def give_back(self, device: Device, kernel: BackendKernel) -> None:
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
        self, kernel: BackendKernel, data: bytes, memory: Mapping[int, BackendAllocation]
    ) -> None:
        """Hand over the object, and what it does not hold itself."""
        if not self._size:
            return
        kernel.set_bytes(0, self._patched(data, memory) if self._buffers else data)
        for number, offset in enumerate(self._locals, start=1):
            # Drivers refuse to allocate nothing.
            kernel.set_local(number, max(_word(data, offset), 1))

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
    native: BackendKernel
    launch: Launch
    range: NdRange

    def start(
        self,
        queue: BackendQueue,
        memory: Mapping[int, BackendAllocation],
        after: Sequence[NativeEvent],
    ) -> tuple[NativeEvent, ...]:
        self.kernel.set_arguments(self.native, self.launch.object, memory)
        sizes = self.range.innermost_first
        return (queue.launch(self.native, *sizes, self.launch.offset, after),)


class HostKernels:
    """The kernels of all programs that are loaded, by symbol."""

    def __init__(self) -> None:
        self._programs: list[Program] = []
        """Kept for the functions that others import of them."""
        self._kernels: dict[str, Kernel] = {}
        self._found: dict[str, HostKernel] = {}
        self._names: dict[str, Names] = {}
        self._lock = Lock()

    def add(self, program: Program) -> None:
        """Let host code start the program's kernels, rather than older ones of the same symbol."""
        with self._lock:
            self._programs.append(program)
            self._kernels = self._kernels | {kernel.symbol: kernel for kernel in program}
            self._found = {}

    def find(self, symbol: str) -> HostKernel:
        """The kernel with that symbol, ready to be started."""
        with self._lock:
            kernel = self._found.get(symbol)
            if kernel is None:
                kernel = self._found[symbol] = HostKernel(self.kernel(symbol))
        return kernel

    def kernel(self, symbol: str) -> Kernel:
        """The kernel with that symbol."""
        kernel = self._kernels.get(symbol)
        if kernel is None:
            names = sorted({kernel.name for kernel in self._kernels.values()})
            name = demangled(symbol).removeprefix("typeinfo name for ")
            raise KernelNotFound(
                f"the program has no device code for kernel '{name}';"
                f" it has: {', '.join(names) or 'no kernels'}",
                hint=_hint(name, names),
            )
        return kernel

    def fit(self, symbol: str, device: Device) -> DovetailError | None:
        """What a launch of the kernel would raise before any code is built; None if nothing."""
        try:
            return self.kernel(symbol).fit(device)
        except KernelNotFound as error:
            return error

    def names_of(self, symbol: str) -> Names:
        """How host code knows the kernel; the same objects whenever it asks."""
        kernel = self.kernel(symbol)
        with self._lock:
            return self._names.setdefault(symbol, (kernel.symbol.encode(), kernel.name.encode()))

    def all_names(self) -> list[Names]:
        """`names_of` all kernels."""
        return [self.names_of(symbol) for symbol in self._kernels]


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
