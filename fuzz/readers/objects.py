"""Object files, programs and libraries: their sections, and the device code in them."""

from __future__ import annotations

from random import Random
from struct import Struct

from dovetail.errors import FormatError
from dovetail.image import has_embedded_program, read_embedded_program, write_program
from dovetail.image.device_section import (
    DeviceCode,
    DeviceSection,
    read_device_section,
    write_device_section,
)
from dovetail.image.elf import CODE_SECTION, SECTION
from dovetail.image.search_path import resolve_origin
from fuzz.edits import edited_bytes, edited_field, edited_items
from fuzz.objects import elf
from fuzz.reader import Reader
from fuzz.readers.offload_binary import edited_binary
from fuzz.readers.syclbin import programs

_HEADER = Struct("<40xQ10xHHH")
_ROW = Struct("<II16xQQ24x")
_FIELDS = ((0, 4), (4, 1), (5, 1), (40, 8), (58, 2), (60, 2), (62, 2))
"""Offsets and sizes of the header fields that the reader uses."""

Section = tuple[bytes, bytes]
"""The name and content of a section."""


def objects() -> list[bytes]:
    """Return small objects with and without device code, and a library with a search path."""
    code = DeviceCode("spir64-unknown-unknown", b"BC\xc0\xde" + bytes(12), "a.cpp", ("f",), ("x",))
    section = write_device_section(DeviceSection((code,), (("-O2", "-DNDEBUG"),)))
    path = b"\0$ORIGIN/lib:/".ljust(39, b"-") + b"\0"
    dynamic = Struct("<QQ").pack(29, 1) + bytes(16)
    return [
        elf((b".text", b"code")),
        elf((SECTION.encode(), section), (b".text", b"code")),
        elf((SECTION.encode(), section + section)),
        elf((b".dynstr", path), (b".dynamic", dynamic)),
        elf((CODE_SECTION.encode(), b"".join(map(write_program, programs()[:2])))),
    ]


def _read(data: bytes) -> None:
    read_device_section(data)
    resolve_origin(data, "/a")
    if has_embedded_program(data):
        read_embedded_program(data)


def edited_object(data: bytes, random: Random) -> bytes:
    """Return an object with a changed field of its tables or a changed section."""
    if random.random() < 0.4:
        return _with_edited_field(data, random)
    return elf(*edited_items(_sections(data), random, _edited_section))


def _with_edited_field(data: bytes, random: Random) -> bytes:
    table, _, count, _ = _table(data)
    if random.random() < 0.5 or not count:
        return edited_field(data, *random.choice(_FIELDS), random)
    offset, size = random.choice(((0, 4), (4, 4), (24, 8), (32, 8), (40, 4)))
    return edited_field(data, table + random.randrange(count) * _ROW.size + offset, size, random)


def _edited_section(section: Section, random: Random) -> Section:
    name, content = section
    if random.random() < 0.1:
        return random.choice((SECTION.encode(), b".dynstr", b".dynamic", b"")), content
    if name in (SECTION.encode(), CODE_SECTION.encode()) and random.random() < 0.8:
        return name, edited_binary(content, random)
    return name, edited_bytes(content, random)


def _table(data: bytes) -> tuple[int, int, int, int]:
    """Return the section table's offset, row size and row count, and the row with names."""
    if len(data) < _HEADER.size:
        raise FormatError("no header")
    return _HEADER.unpack_from(data)


def _sections(data: bytes) -> list[Section]:
    """Return the sections of a well-formed file."""
    table, _, count, names_row = _table(data)
    end = table + count * _ROW.size
    if end > len(data) or names_row >= count:
        raise FormatError("no table of sections")
    rows = list(_ROW.iter_unpack(data[table:end]))
    _, _, names_offset, names_size = rows[names_row]
    names = data[names_offset : names_offset + names_size]
    return [
        (names[name:].partition(b"\0")[0], data[offset : offset + size])
        for number, (name, _, offset, size) in enumerate(rows)
        if number and number != names_row
    ]


READER = Reader(
    "object files and the device code in them; search paths of libraries",
    objects,
    _read,
    edited_object,
)
