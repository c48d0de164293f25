"""Entries of the cache: their files, and the content of each kind of entry."""

from __future__ import annotations

import atexit
import json
import struct
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from dovetail.cache.entry import DamagedEntry, encode_entry, read_entry
from dovetail.codegen import processors
from dovetail.compilers import ocloc, ptxas
from dovetail.driver.code_cache import parse_code
from dovetail.driver.step_cache import parse_records
from dovetail.driver.steps.host_link import LinkedHost
from dovetail.driver.tracing import parse_folders
from dovetail.errors import DovetailError, FormatError
from dovetail.facts_json import parse_facts
from dovetail.frontend.precompiled import parse_inputs
from dovetail.image import write_program
from dovetail.json_shape import Shape, parse_json
from dovetail.packing import packed as packed_parts, unpacked
from fuzz.edits import edited_bytes, edited_field, edited_items, edited_json
from fuzz.reader import Reader
from fuzz.readers.offload_binary import edited_binary
from fuzz.readers.syclbin import programs

_HEADER = struct.Struct("<8sIIQ32s32s")
_KEY = sha256(b"key").hexdigest()
_READS: list[Any] = [
    {"/etc/hostname": ["ab" * 32, 5, 1, 1, 7, True]},
    [["a.h", "b.h"]],
    [["/etc", 0, 5, 7, ["a.h"]], ["/nowhere", -1, 0, 0, []]],
]
_DOCUMENTS: tuple[Any, ...] = (
    [[_READS, ["ab" * 32, "a.cpp:1:1: warning: w", ["llvm"], True]], [None, ["ab", "", [], False]]],
    {"identity": "ab", "bodies": "", "parts": {"/a.pch": [5, 7]}, "reads": _READS},
    ["/usr/include", "/usr/local/include"],
    ["13.0.88", "9.0", ["sm_90", "sm_90a"]],
    ["22.43", ["pvc", "dg2"], True, ""],
    ["22.1.8", ["gfx1100"]],
)
_OFFLOAD_MAGIC = b"\x10\xff\x10\xad"

_folder = TemporaryDirectory(prefix="fuzz-cache-")
atexit.register(_folder.cleanup)


def _seeds() -> list[bytes]:
    contents = [json.dumps(document).encode() for document in _DOCUMENTS]
    contents += [LinkedHost(b"host", frozenset({"a.o", "b.a(c.o)"})).to_bytes()]
    contents += [write_program(programs()[0])]
    return [encode_entry(_KEY, content) for content in contents]


def _answer_reader(shape: Shape) -> Callable[[bytes], object]:
    return lambda content: parse_json(content, shape)


_CONTENT_READERS: tuple[Callable[[bytes], object], ...] = (
    lambda content: [reads.is_current() for reads, _ in parse_records(content) if reads],
    lambda content: parse_inputs(content).reads.is_current(exact_time=True),
    parse_folders,
    LinkedHost.of_bytes,
    unpacked,
    parse_facts,
    parse_code,
    *map(_answer_reader, (ptxas.ANSWER, ocloc.ANSWER, processors.ANSWER, str, bool)),
)


def _read(data: bytes) -> None:
    path = Path(_folder.name) / _KEY
    path.write_bytes(data)
    path.chmod(0o600)
    try:
        content = read_entry(path, _KEY)
    except DamagedEntry as error:
        raise FormatError(str(error)) from None
    for read_content in _CONTENT_READERS if content is not None else ():
        with suppress(DovetailError):
            read_content(content or b"")


def _edit(data: bytes, random: Random) -> bytes:
    if random.random() < 0.1:
        offset, size = random.choice(((0, 4), (8, 4), (12, 4), (16, 8), (24, 8), (56, 8)))
        return edited_field(data, offset, size, random)
    return encode_entry(_KEY, _edited_content(data[_HEADER.size :], random))


def _edited_content(content: bytes, random: Random) -> bytes:
    if content[:1] in (b"[", b"{"):
        try:
            return json.dumps(edited_json(json.loads(content), random)).encode()
        except (ValueError, RecursionError):
            return edited_bytes(content, random)
    if content.startswith(_OFFLOAD_MAGIC):
        return edited_binary(content, random)
    return packed_parts(edited_items(unpacked(content), random, edited_bytes))


def _repair(data: bytes) -> bytes:
    """Return the entry with the correct length and digest in its header."""
    return encode_entry(_KEY, data[_HEADER.size :])


READER = Reader(
    "cache entries, with the contents of all kinds", _seeds, _read, _edit, repair=_repair
)
