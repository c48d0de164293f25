"""Sections of ELF files as compilers write them, and damaged files."""

import struct

import pytest
from fuzz.objects import elf

from dovetail.errors import FormatError
from dovetail.image.elf import is_elf, sections_named

GOOD = elf((b".text", b"code"), (b".data", b"abc"), (b".data.more", b"x"), (b".data", b"def"))


SHARED = bytearray(GOOD)
# The last section begins where the other of its name does.
_table = struct.unpack_from("<Q", GOOD, 40)[0]
struct.pack_into(
    "<Q", SHARED, _table + 4 * 64 + 24, struct.unpack_from("<Q", GOOD, _table + 2 * 64 + 24)[0]
)


def test_sections_of_a_name() -> None:
    assert is_elf(GOOD)
    found = sections_named(GOOD, ".data")
    assert [bytes(section.content) for section in found] == [b"abc", b"def"]
    assert GOOD[found[1].offset :].startswith(b"def")
    assert sections_named(GOOD, ".dat") == []


def test_more_sections_than_fit_into_the_header() -> None:
    data = bytearray(GOOD)
    count, names = struct.unpack_from("<HH", data, 60)
    struct.pack_into("<HH", data, 60, 0, 0xFFFF)
    (table,) = struct.unpack_from("<Q", data, 40)
    struct.pack_into("<QI", data, table + 32, count, names)
    assert len(sections_named(bytes(data), ".data")) == 2


def test_a_file_without_a_table() -> None:
    data = bytearray(GOOD)
    struct.pack_into("<Q", data, 40, 0)
    assert sections_named(bytes(data), ".data") == []


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "the magic number"),
        (b"\x7fELF", "the header extends to byte 64"),
        (GOOD[:4] + b"\1" + GOOD[5:], "not for 64-bit little-endian"),
        (GOOD[:-1], "the table of sections extends to"),
        (GOOD[:58] + b"\7\0" + GOOD[60:], "64 bytes, got 7"),
        (elf((b"a", b"b"), names_row=9), "there is no section 9 for the names"),
        (SHARED, "section '.data' overlaps section '.data'"),
    ],
)
def test_damage(data: bytes, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        sections_named(data, ".data")
