"""The section of an object file that carries device code to the link step.

It holds LLVM's OffloadBinary with an entry for each family of targets: bitcode with its facts. One
more entry, without an image, has the flags of each precompiled header that the source uses: the
linker needs the object files that belong to these. `docs/formats.md` lists the strings.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from dovetail.errors import FormatError
from dovetail.image.elf import SECTION, sections_named
from dovetail.image.offload_binary import ImageKind, OffloadEntry, OffloadKind
from dovetail.image.offload_reader import read_offload_binary
from dovetail.image.offload_writer import write_offload_binary
from dovetail.image.window import Bytes
from dovetail.json_shape import parse_json

_TRIPLE = "triple"
_SOURCE = "dovetail-source"
_EXPORTS = "dovetail-exports"
_TARGETS = "dovetail-targets"
_BODIES = "dovetail-bodies"


class DeviceCode(NamedTuple):
    """The device code of one source, for one IR family."""

    triple: str
    bitcode: Bytes
    source: str = ""
    """Name of the source file; empty if another compiler wrote this entry."""
    exports: tuple[str, ...] = ()
    """Symbols of the functions that other sources may call."""
    targets: tuple[str, ...] = ()
    """Names of the targets that it was compiled for; empty if it is for any device."""


@dataclass(frozen=True)
class DeviceSection:
    """The content of the section."""

    code: tuple[DeviceCode, ...] = ()
    bodies: tuple[tuple[str, ...], ...] = ()
    """The flags of each precompiled header that was used."""

    def __bool__(self) -> bool:
        return bool(self.code or self.bodies)


def write_device_section(section: DeviceSection) -> bytes:
    """Return the bytes of the section."""
    entries = [_code_entry(code) for code in section.code]
    for words in section.bodies:
        strings = {_BODIES: json.dumps(words)}
        entries.append(OffloadEntry(ImageKind.NONE, OffloadKind.SYCL, 0, strings, b""))
    # LLVM 22's tools read only version 1.
    return write_offload_binary(entries, version=1)


def read_device_section(data: Bytes) -> DeviceSection:
    """Return what an object file carries; nothing if it has no such section."""
    entries: list[OffloadEntry] = []
    for section in sections_named(data, SECTION):
        if section.content:
            entries += read_offload_binary(section.content)
    ours = [entry for entry in entries if entry.offload_kind == OffloadKind.SYCL]
    return DeviceSection(
        tuple(map(_code, _of_kind(ours, ImageKind.BITCODE))),
        tuple(map(_words, _of_kind(ours, ImageKind.NONE))),
    )


def _of_kind(entries: Iterable[OffloadEntry], kind: ImageKind) -> list[OffloadEntry]:
    return [entry for entry in entries if entry.image_kind == kind]


def _code_entry(code: DeviceCode) -> OffloadEntry:
    # LLVM's tools expect the name of an architecture, even if it is empty.
    strings = {_TRIPLE: code.triple, "arch": "", _SOURCE: code.source}
    strings[_EXPORTS] = "\n".join(code.exports)
    if code.targets:
        strings[_TARGETS] = "\n".join(code.targets)
    return OffloadEntry(ImageKind.BITCODE, OffloadKind.SYCL, 0, strings, code.bitcode)


def _code(entry: OffloadEntry) -> DeviceCode:
    exports = tuple(entry.strings.get(_EXPORTS, "").split())
    triple, source = entry.strings.get(_TRIPLE, ""), entry.strings.get(_SOURCE, "")
    targets = tuple(entry.strings.get(_TARGETS, "").split())
    return DeviceCode(triple, entry.image, source, exports, targets)


def _words(entry: OffloadEntry) -> tuple[str, ...]:
    text = entry.strings.get(_BODIES, "[]")
    try:
        words: list[str] = parse_json(text.encode(), [str])
    except FormatError as error:
        raise FormatError(
            f"section {SECTION}: '{_BODIES}' is not a JSON list of strings: {error.message}"
        ) from None
    return tuple(words)
