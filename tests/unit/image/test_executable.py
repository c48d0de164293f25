"""Zip programs, and other zips."""

import io
import struct
import warnings
from contextlib import suppress
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import pytest
from fuzz.zip_programs import zip_program

from dovetail.errors import FormatError
from dovetail.image.executable import Executable, begins_as_executable, read_executable

LIBRARY = b"\x7fELF\0main\0" + bytes(range(256))
PROGRAM = b"the device's code"
GOOD = zip_program(Executable(PROGRAM, LIBRARY))

MEMBERS = {"__main__.py": b"pass", "host.so": LIBRARY, "program.syclbin": PROGRAM}


def zipped(members: dict[str, bytes], method: int = ZIP_STORED) -> bytes:
    content = io.BytesIO(b"#!/usr/bin/env python3\n")
    content.seek(0, io.SEEK_END)
    with ZipFile(content, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return content.getvalue()


def changed(at: int, layout: str, value: int) -> bytes:
    """The good file with one number replaced."""
    data = bytearray(GOOD)
    struct.pack_into(layout, data, at, value)
    return bytes(data)


LAST_ENTRY = GOOD.rindex(b"PK\1\2")
END = len(GOOD) - 22


def test_packaged_programs_are_read() -> None:
    assert begins_as_executable(GOOD[:512])
    found = read_executable(GOOD)
    assert (bytes(found.program), bytes(found.host_library)) == (PROGRAM, LIBRARY)


def test_zips_of_python_are_read() -> None:
    assert bytes(read_executable(zipped(MEMBERS)).program) == PROGRAM


@pytest.mark.parametrize("line", [b"", b"#!/python\n", b"#!/a/much/longer/path/to/a/python\n"])
def test_the_interpreter_can_be_replaced(line: bytes) -> None:
    moved = line + GOOD.partition(b"\n")[2]
    assert begins_as_executable(moved)
    assert bytes(read_executable(moved).host_library) == LIBRARY


@pytest.mark.parametrize(
    "start",
    [
        b"#!/usr/bin/python3.11\n",
        b"#!/bin/sh\nexec /" + b"x" * 125 + b' "$0" "$@"\n',
        b'#!/bin/sh\nexec \'/my python/python\' "$0" "$@"\n',
    ],
)
def test_lines_that_start_it(start: bytes) -> None:
    made = zip_program(Executable(PROGRAM, LIBRARY), start)
    assert begins_as_executable(made)
    assert bytes(read_executable(made).host_library) == LIBRARY


@pytest.mark.parametrize(
    "head", [b"", b"#!", b"#!/bin/sh\necho", b"#!/bin/sh\nexec x\n", b"#include <a>\n", b"\x7fELF"]
)
def test_other_files_are_not_executables(head: bytes) -> None:
    assert not begins_as_executable(head)


def twice() -> bytes:
    content = io.BytesIO()
    with warnings.catch_warnings(), ZipFile(content, "w") as archive:
        warnings.simplefilter("ignore")  # Python does not want to do this
        for name in (*MEMBERS, "host.so"):
            archive.writestr(name, MEMBERS[name])
    return content.getvalue()


def without(name: str) -> bytes:
    return zipped({each: data for each, data in MEMBERS.items() if each != name})


BAD: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "end record of the zip is missing"),
    "short": (b"PK\3\4", "end record of the zip is missing"),
    "cut": (GOOD[:-1], "the file may be truncated"),
    "nothing in it": (zipped({}), "the zip has no '__main__.py'"),
    "another zip": (zipped({"hello.txt": b"hello"}), "repeated member 'hello.txt'"),
    "no host code": (without("host.so"), "the zip has no 'host.so'"),
    "no device code": (without("program.syclbin"), "the zip has no 'program.syclbin'"),
    "one more": (zipped({**MEMBERS, "more": b""}), "repeated member 'more'"),
    "a way out": (zipped({**MEMBERS, "../host.so": b""}), r"repeated member '\.\./host\.so'"),
    "an absolute path": (zipped({**MEMBERS, "/etc/x": b""}), "repeated member '/etc/x'"),
    "twice": (twice(), "repeated member 'host.so'"),
    "packed": (zipped(MEMBERS, ZIP_DEFLATED), "is compressed; programs hold it uncompressed"),
    "a bomb": (
        zipped({**MEMBERS, "host.so": bytes(1 << 20)}, ZIP_DEFLATED),
        "is compressed; programs hold it uncompressed",
    ),
    "larger unpacked": (changed(LAST_ENTRY + 24, "<I", 0xFFFFFFFF), "' is compressed"),
    "damaged": (GOOD.replace(b"device's", b"device?s"), "its checksum does not match"),
    "other entry": (changed(LAST_ENTRY, "<I", 0), "entry of the directory has a wrong"),
    "long name": (changed(LAST_ENTRY + 28, "<H", 0xFFFF), "a name extends to byte"),
    "far away": (changed(LAST_ENTRY + 42, "<I", 0xFFFFFFF0), "the header of 'program.syclbin'"),
    "not a header": (changed(LAST_ENTRY + 42, "<I", 1), "has a wrong signature"),
    "huge directory": (changed(END + 12, "<I", 0xFFFFFFFF), "is larger than the file"),
    "far directory": (changed(END + 16, "<I", 0xFFFFFFFF), "begins before the file"),
}


@pytest.mark.parametrize(("data", "message"), BAD.values(), ids=BAD)
def test_bad_files(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_executable(data)


def test_sizes_beyond_the_file_are_rejected() -> None:
    data = bytearray(GOOD)
    # Both sizes, so that the member does not seem to be compressed.
    struct.pack_into("<II", data, LAST_ENTRY + 20, 0xFFFFFFFF, 0xFFFFFFFF)
    with pytest.raises(FormatError, match=r"'program.syclbin' extends to byte 42949"):
        read_executable(data)


def test_members_that_overlap_are_rejected() -> None:
    data = bytearray(GOOD)
    other = GOOD.rindex(b"PK\1\2", 0, LAST_ENTRY)
    for field in (slice(16, 28), slice(42, 46)):  # checksum and sizes; offset
        begin, end = field.start, field.stop
        data[LAST_ENTRY + begin : LAST_ENTRY + end] = GOOD[other + begin : other + end]
    with pytest.raises(FormatError, match=r"'program.syclbin' overlaps 'host.so'"):
        read_executable(data)


def test_damaged_files_cause_only_format_errors() -> None:
    for size in range(len(GOOD)):
        with pytest.raises(FormatError):
            read_executable(GOOD[:size])
        with suppress(FormatError):
            read_executable(changed(size, "<B", 0xFF))
