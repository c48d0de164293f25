"""The search path of shared libraries in zip programs: `$ORIGIN` is replaced by their folder.

The dynamic linker replaces `$ORIGIN` by the folder of the file that it loads, but the host code of
such programs is loaded from memory. So the folder is written into the search path before loading.
Strings in an ELF file cannot grow: the programs have an additional entry that reserves space.
"""

import re
from collections.abc import Iterator
from struct import Struct

from dovetail.image.elf import ElfSection, sections_named
from dovetail.image.window import Bytes, Span, window_on

ORIGIN = re.compile(rb"\$(?:ORIGIN\b|\{ORIGIN\})")
"""The program's folder, in a search path for shared libraries."""

ORIGIN_FOLDER = "$ORIGIN"

PLACEHOLDER = "/" + "-" * 4095
"""A search path entry that reserves space; it names no folder, since no path may be as long."""

_ENTRY = Struct("<QQ")
_SYMBOL = Struct("<IBBH16x")
"""Name, type, visibility, section, which is 0 if it is undefined; the rest is not needed."""
_LONGEST = 4096

_NEEDED, _RPATH, _RUNPATH = 1, 15, 29


def resolve_origin(library: Bytes, folder: str) -> Bytes:
    """Replace `$ORIGIN` in a shared object's search path by `folder`, if there is enough space.

    `FormatError` if it is not a shared object.
    """
    content = bytes(library)
    if not ORIGIN.search(content):
        return library
    replaced = bytearray(content)
    characters_left = len(content)
    for strings in sections_named(content, ".dynstr"):
        for value in _dynamic_values(content, (_RPATH, _RUNPATH)):
            path = _terminated(content, strings, value)
            # A library has one path; entries that share a long one would each cost its length.
            characters_left -= len(path) + 1
            if characters_left < 0:
                problem = "the search paths are longer than the file"
                raise window_on("ELF file", content).error(strings.offset, problem)
            resolved = _resolved(path, folder)
            if len(resolved) <= len(path):
                begin = strings.offset + value
                replaced[begin : begin + len(path)] = resolved.ljust(len(path), b"\0")
    return bytes(replaced)


def with_search_path(library: Bytes, path: str) -> bytes | None:
    """Return a program or shared object with another search path; None if there is no space.

    `FormatError` if it is neither.
    """
    replaced = bytearray(library)
    has_changed = False
    for strings in sections_named(library, ".dynstr"):
        for value in _dynamic_values(library, (_RPATH, _RUNPATH)):
            length = len(_terminated(bytes(library), strings, value))
            if length >= len(path):
                begin = strings.offset + value
                replaced[begin : begin + length] = path.encode().ljust(length, b"\0")
                has_changed = True
    return bytes(replaced) if has_changed else None


def needed_libraries(library: Bytes) -> list[str]:
    """Return the names of the libraries that a shared object needs.

    `FormatError` if it is not a shared object.
    """
    strings = [bytes(section.content) for section in sections_named(library, ".dynstr")]
    values = list(_dynamic_values(library, (_NEEDED,)))
    names = (table[value:].partition(b"\0")[0] for table in strings for value in values)
    return [name.decode(errors="surrogateescape") for name in names]


def dynamic_symbols(library: Bytes, *, defined: bool) -> set[bytes]:
    """Return the names that a shared object defines, or those that it needs.

    `FormatError` if it is not a shared object.
    """
    (strings,) = sections_named(library, ".dynstr")
    (symbols,) = sections_named(library, ".dynsym")
    rows = _SYMBOL.iter_unpack(symbols.content)
    chosen = (name for name, _, _, section in rows if bool(section) == defined)
    return {bytes(strings.content[name : name + _LONGEST]).partition(b"\0")[0] for name in chosen}


def _terminated(content: bytes, strings: ElfSection, value: int) -> bytes:
    """Return the string at offset `value` of a string table; empty if that is outside."""
    end = strings.offset + len(strings.content)
    begin = min(strings.offset + value, end)
    zero = content.find(b"\0", begin, end)
    return content[begin : zero if zero >= 0 else end]


def _dynamic_values(content: Bytes, tags: tuple[int, ...]) -> Iterator[int]:
    """Return the values of the dynamic entries with these tags, offsets into the string table."""
    file = window_on("ELF file", content)
    for dynamic in sections_named(content, ".dynamic"):
        table = Span("the dynamic section", dynamic.offset, len(dynamic.content), 0)
        yield from (value for tag, value in file.unpack_table(_ENTRY, table) if tag in tags)


def _resolved(path: bytes, folder: str) -> bytes:
    name = folder.encode(errors="surrogateescape")
    entries = [entry for entry in path.split(b":") if entry != PLACEHOLDER.encode()]
    return b":".join(ORIGIN.sub(lambda _: name, entry) for entry in entries)
