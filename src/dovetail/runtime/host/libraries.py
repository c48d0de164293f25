"""Shared libraries that the program loads: their device code and their addresses."""

import os
import sys
from collections.abc import Callable
from ctypes import CDLL, Structure, byref, c_char_p, c_int, c_void_p, string_at
from threading import Lock
from typing import NamedTuple

from dovetail.errors import FormatError
from dovetail.image import naming_file
from dovetail.printable import visible_lines
from dovetail.runtime.host.process_record import process_record
from dovetail.runtime.host.structures import LibraryList, LibraryProgram
from dovetail.runtime.program import Program

NO_LIBRARY = 0
"""The base address for programs without a known library, such as the main program."""

# Looked up now: later, it could deadlock with a thread that loads a library and waits for this one.
_libc = CDLL(None)
_dladdr = _libc.dladdr
_dladdr.restype = c_int
_dladdr.argtypes = (c_void_p, c_void_p)
_free = _libc.free
_free.restype = None
_free.argtypes = (c_void_p,)


class Library(NamedTuple):
    """A loaded library."""

    base: int
    """Its base address, unique while it is loaded."""
    file: str


class _SymbolInfo(Structure):
    """`Dl_info`, the result of `dladdr`."""

    _fields_ = (
        ("file", c_char_p),
        ("base", c_void_p),
        ("symbol", c_char_p),
        ("symbol_address", c_void_p),
    )


def library_at(address: int) -> Library:
    """Return the library that contains an address."""
    info = _SymbolInfo()
    if not _dladdr(address, byref(info)):
        return Library(NO_LIBRARY, "a library")
    return Library(info.base, os.fsdecode(info.file))


class Libraries:
    """The list of programs that libraries add themselves to, and how far it has been read."""

    def __init__(self) -> None:
        self.list: LibraryList = process_record().libraries
        self.changes_seen = 0
        self._newest: int | None = None
        self._loaded: list[tuple[LibraryProgram, Program | None]] = []
        """Each entry with its program, or None if that cannot be used."""
        self._lock = Lock()

    @property
    def have_changed(self) -> bool:
        """Whether libraries were loaded or unloaded since the last `update`."""
        return self.list.changes != self.changes_seen

    def update(
        self, add: Callable[[Program, int], None], remove: Callable[[Program], None]
    ) -> None:
        """Call `add` for programs of new libraries, and `remove` for those of unloaded ones."""
        with self._lock:
            changes: int = self.list.changes
            # Read once: more may be unloaded meanwhile.
            gone = [each for each in self._loaded if each[0].unloaded]
            self._loaded = [each for each in self._loaded if each not in gone]
            for _, program in gone:
                if program is not None:
                    remove(program)
            for entry in self._new_entries():
                self._loaded.append((entry, _take_program(entry, add)))
            # Last: threads that see no change rely on the update being complete.
            self.changes_seen = changes

    def _new_entries(self) -> list[LibraryProgram]:
        """Return the entries added since the last call, oldest first."""
        found: list[LibraryProgram] = []
        newest: int | None = self.list.newest
        address = newest
        while address is not None and address != self._newest:
            found.append(LibraryProgram.from_address(address))
            address = found[-1].next
        self._newest = newest
        return found[::-1]


def _take_program(entry: LibraryProgram, add: Callable[[Program, int], None]) -> Program | None:
    if not entry.data:
        # An earlier runtime of this process, which a test has forgotten, has taken it.
        return None
    data = string_at(entry.data, entry.size)
    if entry.data != entry.origin:
        _free(entry.data)
        entry.data = None
    library = library_at(entry.origin)
    if entry.unloaded:
        return None
    try:
        program = Program.from_bytes(data, library.file)
    except FormatError as error:
        # Not fatal: the program may never need the library's kernels. If it does, they are not
        # found, and this message explains why.
        sys.stderr.write(f"SYCL: {visible_lines(str(naming_file(error, library.file)))}\n")
        sys.stderr.flush()
        return None
    add(program, library.base)
    return program
