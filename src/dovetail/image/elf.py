"""Sections of ELF object files, found in the section header table.

Only 64-bit little-endian files, which all supported hosts and devices use. For a file without the
requested section, only the table is read.
"""

from struct import Struct
from typing import NamedTuple

from dovetail.image.window import Bytes, Span, Window, window_on

MAGIC = b"\x7fELF"

SECTION = ".llvm.offloading"
"""The section of object files that holds device code."""
SECTION_TYPE = 0x6FFF4C0B
CODE_SECTION = ".dovetail"
"""The section of programs and shared libraries that holds their packaged device code."""

# Class and byte order; file type; offset of the section header table; size and number of its rows,
# and the index of the section with the names.
_HEADER = Struct("<4xBB10xH22xQ10xHHH")
_CLASS_64, _LITTLE_ENDIAN = 2, 1
_TABLE_AT, _ROW_SIZE_AT, _NAMES_AT = 40, 58, 62

# Name, type; offset, size; link. The other fields are not needed.
_ROW = Struct("<II16xQQI20x")
_NO_CONTENT = (0, 8)
"""Types of sections that occupy no bytes in the file: SHT_NULL, SHT_NOBITS."""

# SHN_XINDEX: the number does not fit into the header, and the first row of the table has it.
_IN_FIRST_ROW = 0xFFFF


class ElfSection(NamedTuple):
    """A section and its content, a view into the file."""

    name: str
    content: memoryview
    offset: int


def is_elf(data: Bytes) -> bool:
    """Whether `data` begins with the magic number of ELF."""
    return bytes(memoryview(data)[: len(MAGIC)]) == MAGIC


def sections_named(data: Bytes, name: str) -> list[ElfSection]:
    """The sections of that name, in order; `FormatError` if `data` is not such a file."""
    file = window_on("ELF file", data)
    if not is_elf(data):
        raise file.error(0, "the magic number of an ELF file is missing")
    width, order, _, table_offset, row_size, count, names = file.unpack(_HEADER, 0, "the header")
    if (width, order) != (_CLASS_64, _LITTLE_ENDIAN):
        raise file.error(4, "it is not for 64-bit little-endian machines")
    if not table_offset:
        return []
    if row_size != _ROW.size:
        problem = f"expected section headers of {_ROW.size} bytes, got {row_size}"
        raise file.error(_ROW_SIZE_AT, problem)
    if not count or names == _IN_FIRST_ROW:
        _, _, _, first_size, first_link = file.unpack(_ROW, table_offset, "the first section")
        count = count or first_size
        names = first_link if names == _IN_FIRST_ROW else names
    table = Span("the table of sections", table_offset, count * _ROW.size, _TABLE_AT)
    spans = _matching(file, table, names, name.encode())
    file.check_disjoint(spans)
    return [ElfSection(name, file.part(span), file.start + span.offset) for span in spans]


def _matching(file: Window, table: Span, names_row: int, name: bytes) -> list[Span]:
    rows = list(file.unpack_table(_ROW, table))
    if names_row >= len(rows):
        raise file.error(_NAMES_AT, f"there is no section {names_row} for the names")
    names = file.part(_content("the table of names", rows[names_row], table.offset))
    places = range(table.offset, table.end, _ROW.size)
    return [
        _content(f"section '{name.decode()}'", row, place)
        for row, place in zip(rows, places, strict=True)
        # Compared in place: reading each name up to its end could cost far more.
        if bytes(names[row[0] : row[0] + len(name) + 1]) == name + b"\0"
    ]


def _content(what: str, row: tuple[int, ...], place: int) -> Span:
    _, kind, offset, size, _ = row
    return Span(what, offset, 0 if kind in _NO_CONTENT else size, place)
