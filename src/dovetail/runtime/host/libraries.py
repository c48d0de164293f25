"""Shared libraries that the program loads: their device code, and where they lie in the process."""

import os
import sys
from collections.abc import Callable
from ctypes import CDLL, Structure, byref, c_char_p, c_int, c_void_p, string_at
from threading import Lock
from typing import NamedTuple

from dovetail.errors import FormatError
from dovetail.image import naming_file
from dovetail.printable import visible_lines
from dovetail.runtime.host.structures import LibraryList, LibraryProgram
from dovetail.runtime.program import Program

NO_LIBRARY = 0
"""The base of what came with no library that the runtime knows, such as the program itself."""

# Looked up now: later, looking up could wait for a thread that loads a library and waits for us.
_libc = CDLL(None)
_dladdr = _libc.dladdr
_dladdr.restype = c_int
_dladdr.argtypes = (c_void_p, c_void_p)
_free = _libc.free
_free.restype = None
_free.argtypes = (c_void_p,)

_alive: list[LibraryList] = []
"""Libraries may go when the runtime that they came to is forgotten."""


class Library(NamedTuple):
    """A library that is loaded."""

    base: int
    """Where it begins; no other begins there as long as it is loaded."""
    file: str


class _SymbolInfo(Structure):
    """`Dl_info`, what `dladdr` answers."""

    _fields_ = (
        ("file", c_char_p),
        ("base", c_void_p),
        ("symbol", c_char_p),
        ("symbol_address", c_void_p),
    )


def library_at(address: int) -> Library:
    """The library that has something at `address`."""
    info = _SymbolInfo()
    if not _dladdr(address, byref(info)):
        return Library(NO_LIBRARY, "a library")
    return Library(info.base, os.fsdecode(info.file))


class Libraries:
    """The list that libraries put their programs on, and how far it has been read."""

    def __init__(self) -> None:
        self.list = LibraryList()
        _alive.append(self.list)
        self.changes_seen = 0
        self._newest: int | None = None
        self._loaded: list[tuple[LibraryProgram, Program | None]] = []
        """Each with its program, unless that cannot be used."""
        self._lock = Lock()

    @property
    def have_changed(self) -> bool:
        """Whether there is something to keep up with."""
        return self.list.changes != self.changes_seen

    def keep_up(
        self, add: Callable[[Program, int], None], remove: Callable[[Program], None]
    ) -> None:
        """Add what libraries brought since the last time, and remove what went with them."""
        with self._lock:
            changes: int = self.list.changes
            # Asked once for each: more may go meanwhile.
            gone = [each for each in self._loaded if each[0].unloaded]
            self._loaded = [each for each in self._loaded if each not in gone]
            for _, program in gone:
                if program is not None:
                    remove(program)
            for entry in self._new_entries():
                self._loaded.append((entry, _take_program(entry, add)))
            # Last: who finds it unchanged relies on all of this being done.
            self.changes_seen = changes

    def _new_entries(self) -> list[LibraryProgram]:
        """Those that were not there the last time, the oldest first."""
        found: list[LibraryProgram] = []
        newest: int | None = self.list.newest
        address = newest
        while address is not None and address != self._newest:
            found.append(LibraryProgram.from_address(address))
            address = found[-1].next
        self._newest = newest
        return found[::-1]


def _take_program(entry: LibraryProgram, add: Callable[[Program, int], None]) -> Program | None:
    data = string_at(entry.data, entry.size)
    _free(entry.data)
    library = library_at(entry.origin)
    if entry.unloaded:
        return None
    try:
        program = Program.from_bytes(data, library.file)
    except FormatError as error:
        # The program may never need the library's kernels; if it does, it is told that there are
        # none, and this says why.
        sys.stderr.write(f"SYCL: {visible_lines(str(naming_file(error, library.file)))}\n")
        sys.stderr.flush()
        return None
    add(program, library.base)
    return program
