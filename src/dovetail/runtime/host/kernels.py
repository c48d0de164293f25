"""The kernels that host code can launch: those of all loaded programs, by symbol."""

from collections.abc import Sequence
from ctypes import c_char, c_char_p, c_void_p
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias

from dovetail.errors import DovetailError, KernelNotFound, nearest
from dovetail.runtime.demangle import demangled, variable_name
from dovetail.runtime.device import Device
from dovetail.runtime.host.errc import Errc, HostError
from dovetail.runtime.host.host_kernel import HostKernel, HostLaunch, ReadyLaunch
from dovetail.runtime.host.libraries import NO_LIBRARY, Libraries, library_at
from dovetail.runtime.host.structures import KernelLaunch
from dovetail.runtime.kernel import Kernel
from dovetail.runtime.program import Program
from dovetail.runtime.program_image import NO_CONSTANTS, ConstantValues

if TYPE_CHECKING:
    from dovetail.runtime.device_globals import DeviceVariable

# Reading memory through an array type is four times as fast as `string_at`.
_common_at = (c_char * KernelLaunch.object.offset).from_address
"""The part of a `kernel_launch` that is the same for launches over the same range."""
_MAX_READY = 1024
"""The maximum number of cached launches; a program may use any number of ranges."""

NO_VALUES = 0
"""The number for launches without values of specialization constants."""

Names: TypeAlias = tuple[bytes, bytes]
"""A kernel's symbol and name. Host code stores their addresses, so they are never freed."""


class HostKernels:
    """The kernels of all loaded programs, by symbol.

    Independent libraries may have kernels with the same symbol. Each launches its own: the address
    of the symbol's text identifies the library.
    """

    def __init__(self) -> None:
        self.libraries = Libraries()
        self._bases: dict[Program, int] = {}
        """All programs, kept alive for their importers, with the base of their library."""
        self._kernels: dict[str, dict[int, Kernel]] = {}
        """By symbol and library, the newest last."""
        self._found: dict[Kernel, HostKernel] = {}
        self._names: dict[tuple[str, int], Names] = {}
        self._name_owners: dict[int, int] = {}
        """The library of each symbol that was returned to host code, by the text's address."""
        self._constants: dict[frozenset[tuple[str, bytes]], int] = {}
        """The numbers of all sets of values of specialization constants, from 1 on."""
        self._constants_by_number: dict[int, ConstantValues] = {NO_VALUES: NO_CONSTANTS}
        self._lock = Lock()
        self._ready: dict[Device, dict[bytes, ReadyLaunch]] = {}
        """By the common part of launches, as host code writes it."""

    def add(self, program: Program, library: int = NO_LIBRARY) -> None:
        """Let host code launch the program's kernels, instead of older ones with the same symbol.

        Host code of other libraries still launches its own.
        """
        with self._lock:
            self._bases.pop(program, None)
            self._bases[program] = library
            self._list_kernels()

    def remove(self, program: Program) -> None:
        """Remove the program; its functions that others import are resolved again."""
        with self._lock:
            del self._bases[program]
            self._list_kernels()
            self._found = {}
            for kernels in self._kernels.values():
                for kernel in kernels.values():
                    kernel.forget_imports()

    def _list_kernels(self) -> None:
        """Build the table of kernels again, and drop the ready launches."""
        # A new table each time, since other threads read the old one without a lock.
        kernels: dict[str, dict[int, Kernel]] = {}
        for program, library in self._bases.items():
            for kernel in program:
                same = kernels.setdefault(kernel.symbol, {})
                same.pop(library, None)
                same[library] = kernel
        self._kernels = kernels
        self._ready = {}

    def _update_libraries(self) -> None:
        """Add and remove programs of libraries that were loaded or unloaded."""
        if self.libraries.have_changed:
            self.libraries.update(self.add, self.remove)

    def ready_launch(self, device: Device, launch: int) -> ReadyLaunch | None:
        """Return the checked launch at an address; None if it needs `_submit_kernel`."""
        libraries = self.libraries
        if libraries.list.changes != libraries.changes_seen:
            self._update_libraries()
        common = _common_at(launch).raw
        try:
            return self._ready[device][common]
        except KeyError:
            return self._make_ready(device, common, HostLaunch.read(launch))

    def _make_ready(self, device: Device, common: bytes, launch: HostLaunch) -> ReadyLaunch | None:
        """Check a launch and keep it for launches with the same `common` bytes.

        Return None if it has no work-items or needs more than the bytes of its object.
        """
        kernel = self.find(launch)
        nd_range = kernel.check(launch, device)
        if nd_range is None or not kernel.has_only_plain_bytes:
            return None
        ready = self._ready.setdefault(device, {})
        if len(ready) >= _MAX_READY:
            ready.clear()
        ready[common] = made = ReadyLaunch(kernel, launch, nd_range, device)
        return made

    def number_of(self, values: ConstantValues) -> int:
        """Return the number of values of specialization constants, the same for equal values."""
        with self._lock:
            number = self._constants.setdefault(
                frozenset(values.items()), len(self._constants) + NO_VALUES + 1
            )
            self._constants_by_number[number] = values
        return number

    def specialized(self, kernel: Kernel, number: int) -> Kernel:
        """Return a kernel with the values of specialization constants that have a number."""
        if number == NO_VALUES:
            return kernel
        try:
            values = self._constants_by_number[number]
        except KeyError:
            raise HostError(
                Errc.INVALID, f"there are no values of specialization constants number {number}"
            ) from None
        return kernel.with_constants(values)

    def find(self, launch: HostLaunch) -> HostKernel:
        """Return the kernel of a launch, prepared for launches with the same constants."""
        kernel = self.kernel(launch.symbol, launch.symbol_address)
        kernel = self.specialized(kernel, launch.constants)
        with self._lock:
            found = self._found.get(kernel)
            if found is None:
                found = self._found[kernel] = HostKernel(kernel)
        return found

    def kernel(self, symbol: str, text_address: int = 0) -> Kernel:
        """Return the kernel with a symbol, preferably of the library with the symbol's text."""
        self._update_libraries()
        found = self._kernels.get(symbol)
        if found is None:
            raise self._not_found(symbol)
        own = found.get(self._owner(text_address)) if len(found) > 1 else None
        return own or next(reversed(found.values()))

    def device_global(self, identifier: str, text_address: int) -> "DeviceVariable":
        """Return the variable with an identifier, of the library with the identifier's text."""
        self._update_libraries()
        owner = self._owner(text_address)
        programs = [program for program, library in self._bases.items() if library == owner]
        for program in reversed(programs):
            found = program.device_globals.find(identifier)
            if found is not None:
                return found
        name = variable_name(identifier)
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
        """Return the library that contains the text of a name, or `NO_LIBRARY`."""
        given = self._name_owners.get(text_address)
        if given is not None:
            return given
        library = library_at(text_address).base
        return library if library in self._bases.values() else NO_LIBRARY

    def fit(self, symbol: str, device: Device, text_address: int = 0) -> DovetailError | None:
        """Return the error that launching the kernel would raise before building code, or None."""
        try:
            return self.kernel(symbol, text_address).fit(device)
        except KernelNotFound as error:
            return error

    def names_of(self, symbol: str, text_address: int = 0) -> Names:
        """Return the kernel's symbol and name, always as the same objects."""
        kernel = self.kernel(symbol, text_address)
        library = next(base for base, same in self._kernels[symbol].items() if same is kernel)
        return self._names_in(kernel, library)

    def all_names(self) -> list[Names]:
        """Return `names_of` all kernels."""
        self._update_libraries()
        kernels = self._kernels.values()
        return [self._names_in(kernel, base) for same in kernels for base, kernel in same.items()]

    def _names_in(self, kernel: Kernel, library: int) -> Names:
        """Return the names of a kernel, always as the same objects, and record their library."""
        key = (kernel.symbol, library)
        with self._lock:
            if key not in self._names:
                names = self._names[key] = (kernel.symbol.encode(), kernel.name.encode())
                self._name_owners[_text_address(names[0])] = library
            return self._names[key]


def _text_address(text: bytes) -> int:
    return c_void_p.from_buffer(c_char_p(text)).value or 0


def _hint(name: str, names: Sequence[str]) -> str:
    """Return a hint for a name that no kernel has."""
    short = name.rpartition("::")[2]
    if short in names:
        return (
            f"another class names kernel '{short}': a class declared in a function is visible"
            " only there, so declare it outside"
        )
    return nearest(name, names)
