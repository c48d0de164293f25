"""Executable programs: zip files with device code and host code."""

from __future__ import annotations

import struct
from random import Random
from zlib import crc32

from dovetail.errors import FormatError
from dovetail.image import read_program, write_program
from dovetail.image.executable import (
    Executable,
    begins_as_executable,
    read_executable,
)
from fuzz.edits import edited_bytes, edited_field
from fuzz.objects import elf
from fuzz.reader import Reader
from fuzz.readers.offload_binary import edited_binary
from fuzz.readers.syclbin import programs
from fuzz.zip_programs import zip_program

_END = struct.Struct("<I8xII2x")
_END_SIGNATURE = 0x06054B50
_ENTRY = struct.Struct("<I6xH4xIIIHHH8xI")
_LOCAL = struct.Struct("<I22xHH")
_LOCAL_FIELDS = ((0, 4), (14, 4), (18, 4), (22, 4), (26, 2), (28, 2))
_ENTRY_FIELDS = ((0, 4), (10, 2), (16, 4), (20, 4), (24, 4), (28, 2), (30, 2), (32, 2), (42, 4))
_CHECKSUM_OFFSET = 16


def _seeds() -> list[bytes]:
    host = elf((b".dynstr", b"\0main\0"))
    return [zip_program(Executable(write_program(p), host)) for p in programs()[:3]]


def _read(data: bytes) -> None:
    begins_as_executable(data)
    read_program(read_executable(data).program)


def _edit(data: bytes, random: Random) -> bytes:
    if random.random() < 0.4:
        return _with_edited_field(data, random)
    parts = read_executable(data)
    program, host = bytes(parts.program), bytes(parts.host_library)
    if random.random() < 0.7:
        program = edited_binary(program, random)
    else:
        # Packaging requires `main`.
        host = edited_bytes(host, random) + b"\0main\0"
    return zip_program(Executable(program, host))


def _with_edited_field(data: bytes, random: Random) -> bytes:
    entries = _entries(data)
    offset, size = random.choice(_ENTRY_FIELDS)
    place = random.choice(entries)
    match random.randrange(4):
        case 0:
            offset, size = random.choice(((0, 4), (8, 2), (10, 2), (12, 4), (16, 4), (20, 2)))
            place = len(data) - _END.size
        case 1:
            offset, size = random.choice(_LOCAL_FIELDS)
            place = max(data.find(b"PK\x03\x04"), 0)
        case _:
            pass
    return edited_field(data, place + offset, size, random)


def _entries(data: bytes) -> list[int]:
    """Return the offsets of the directory entries."""
    end = len(data) - _END.size
    if end < 0:
        raise FormatError("too short for a zip")
    signature, size, _ = _END.unpack_from(data, end)
    places: list[int] = []
    at = end - size
    while signature == _END_SIGNATURE and 0 <= at <= end - _ENTRY.size:
        places.append(at)
        at += _ENTRY.size + sum(struct.unpack_from("<HHH", data, at + 28))
    if not places:
        raise FormatError("no directory")
    return places


def _repair(data: bytes) -> bytes:
    """Return the file with correct checksums of all members."""
    changed = bytearray(data)
    try:
        entries = _entries(data)
    except FormatError:
        return data
    shift = entries[0] - _END.unpack_from(data, len(data) - _END.size)[2]
    for place in entries:
        *_, size, _, _, _, offset = _ENTRY.unpack_from(data, place)
        local = offset + shift
        if not 0 <= local <= len(data) - _LOCAL.size:
            continue
        begin = local + _LOCAL.size + sum(_LOCAL.unpack_from(data, local)[1:])
        checksum = crc32(data[begin : begin + size])
        struct.pack_into("<I", changed, place + _CHECKSUM_OFFSET, checksum)
    return bytes(changed)


READER = Reader(
    "executable programs: zip files with device code and host code",
    _seeds,
    _read,
    _edit,
    repair=_repair,
)
