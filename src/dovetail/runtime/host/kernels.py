"""The kernels that host code can start: of all programs that are loaded, by symbol."""

from collections.abc import Sequence
from ctypes import c_char, c_char_p, c_void_p
from threading import Lock
from typing import TypeAlias

from dovetail.errors import DovetailError, KernelNotFound, nearest
from dovetail.runtime.demangle import demangled
from dovetail.runtime.device import Device
from dovetail.runtime.device_globals import DeviceVariable
from dovetail.runtime.host.errc import Errc, HostError
from dovetail.runtime.host.host_kernel import HostKernel, HostLaunch, ReadyLaunch
from dovetail.runtime.host.libraries import NO_LIBRARY, Libraries, library_at
from dovetail.runtime.host.structures import KernelLaunch
from dovetail.runtime.kernel import Kernel
from dovetail.runtime.program import Program

# An array type reads memory in a quarter of the time that `string_at` takes.
_common_at = (c_char * KernelLaunch.object.offset).from_address
"""What launches of a kernel over the same range have in common, in a `kernel_launch`."""
_MAX_READY = 1024
"""Ranges are remembered up to here; a program may use any number."""

Names: TypeAlias = tuple[bytes, bytes]
"""A kernel's symbol and name. Host code keeps their addresses, so they have to stay."""


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
            return self._make_ready(device, common, HostLaunch.read(launch))

    def _make_ready(self, device: Device, common: bytes, launch: HostLaunch) -> ReadyLaunch | None:
        kernel = self.find(launch.symbol, launch.symbol_address)
        nd_range = kernel.check(launch, device)
        if nd_range is None or not kernel.takes_plain_bytes:
            return None
        ready = self._ready.setdefault(device, {})
        if len(ready) >= _MAX_READY:
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

    def device_global(self, identifier: str, text_address: int) -> DeviceVariable:
        """The variable of that identifier: of the library that has the identifier's text."""
        self._keep_up()
        owner = self._owner(text_address)
        programs = [program for program, library in self._bases.items() if library == owner]
        for program in reversed(programs):
            found = program.device_globals.find(identifier)
            if found is not None:
                return found
        name = demangled(identifier.partition("$")[0])
        raise HostError(
            Errc.INVALID,
            f"the program has no device code with device global '{name}'",
            hint="compile the source that defines it with -fsycl, and with a kernel in the program",
        )

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


def _text_address(text: bytes) -> int:
    return c_void_p.from_buffer(c_char_p(text)).value or 0


def _hint(name: str, names: Sequence[str]) -> str:
    """What a name that no kernel has may come from."""
    short = name.rpartition("::")[2]
    if short in names:
        return (
            f"kernel '{short}' is named by another class: one that is declared in a function is"
            " known there alone, so declare it outside"
        )
    return nearest(name, names)
