"""Offload binaries of both versions, and the packaged programs inside them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from dovetail.errors import DovetailError
from dovetail.image import (
    ImageKind,
    OffloadEntry,
    OffloadKind,
    read_offload_binary,
    write_offload_binary,
    write_program,
)
from dovetail.image.offload_binary import ENTRY, HEADER
from dovetail.runtime.program import Program
from fuzz.edits import edited_bytes, edited_field, edited_items, edited_number, edited_text
from fuzz.reader import CONTAINER_COUNT, Reader
from fuzz.readers.syclbin import edited_syclbin, programs

_VERSION_OFFSET = 4


def _seeds() -> list[bytes]:
    strings = {"triple": "spir64-unknown-unknown", "arch": ""}
    entries = [
        OffloadEntry(ImageKind.BITCODE, OffloadKind.SYCL, 0, strings, b"BC\xc0\xde" + bytes(12)),
        OffloadEntry(ImageKind.NONE, OffloadKind.SYCL, 1, {"dovetail-bodies": "[]"}, b""),
        OffloadEntry(ImageKind.OBJECT, OffloadKind.CUDA, 0, {}, b"object"),
    ]
    packaged = [write_program(program) for program in programs()]
    return [*packaged, *(write_offload_binary(entries, version=v) for v in (1, 2))]


def _read(data: bytes) -> None:
    entries = read_offload_binary(data)
    assert all(len(entry.image) <= len(data) for entry in entries)
    if any(entry.image_kind == ImageKind.SYCLBIN for entry in entries):
        program = Program.from_bytes(data)
        _ = repr(program), program.device_globals, len(program)


def edited_binary(data: bytes, random: Random) -> bytes:
    """Return an offload binary with a changed field of its tables or a changed entry."""
    if random.random() < 0.4:
        size = random.choice((4, 8))
        offset = random.randrange((HEADER.size + 2 * ENTRY.size) // size) * size
        return edited_field(data, offset, size, random)
    entries = edited_items(read_offload_binary(data), random, _edited_entry)
    version = data[_VERSION_OFFSET] if random.random() < 0.9 else random.choice((1, 2))
    return write_offload_binary(entries, version=version)


def _edited_entry(entry: OffloadEntry, random: Random) -> OffloadEntry:
    match random.randrange(6):
        case 0:
            kind = random.choice(list(ImageKind))
            return replace(entry, image_kind=kind)
        case 1:
            return replace(entry, offload_kind=edited_number(entry.offload_kind, random, 2))
        case 2:
            return replace(entry, strings=_edited_strings(entry.strings, random))
        case _:
            return replace(entry, image=_edited_image(entry, random))


def _edited_image(entry: OffloadEntry, random: Random) -> bytes:
    if entry.image_kind == ImageKind.SYCLBIN:
        try:
            return edited_syclbin(bytes(entry.image), random)
        except DovetailError:
            pass
    return edited_bytes(bytes(entry.image), random)


def _edited_strings(strings: dict[str, str], random: Random) -> dict[str, str]:
    rows = edited_items(list(strings.items()) or [("triple", "")], random, _edited_row)
    return dict(rows)


def _edited_row(row: tuple[str, str], random: Random) -> tuple[str, str]:
    key, value = row
    if random.random() < 0.3:
        return edited_text(key, random), value
    return key, edited_text(value, random)


READER = Reader(
    "offload binaries, versions 1 and 2, and programs loaded from them",
    _seeds,
    _read,
    edited_binary,
    count=CONTAINER_COUNT,
)
