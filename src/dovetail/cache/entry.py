"""Entries: their keys and their files.

A key is a digest of everything that an entry was made from. A file is named by the key, and is a
header, which is checked before anyone sees the content, then that.

| bytes | what |
|---|---|
| 8 | `DOVETAIL` |
| 4 | version of this format |
| 4 | zero |
| 8 | length of the content |
| 32 | the key, which is the file's name too |
| 32 | SHA-256 of the content |
"""

import os
import stat
import struct
from hashlib import sha256
from pathlib import Path

from dovetail.cache.contents import note_use
from dovetail.cache.folder import is_own

VERSION = 1
"""Of the format of entries. Part of every key, so that versions that differ in it do not meet."""

_MAGIC = b"DOVETAIL"
_HEADER = struct.Struct("<8sIIQ32s32s")
_START = struct.Struct("<8sI")
"""What entries of all versions begin with."""

_LENGTHS = struct.Struct("<QQ")


class DamagedEntry(Exception):
    """An entry is not what was written, and why."""


def key_of(*parts: tuple[str, str | bytes]) -> str:
    """A key for a list of labelled parts; another list, however alike, has another key.

    Each label and value comes after its length, so that nothing can pass from one to the next.
    """
    digest = sha256(VERSION.to_bytes(4, "little"))
    for label, value in parts:
        name = label.encode()
        data = value.encode(errors="surrogateescape") if isinstance(value, str) else value
        digest.update(_LENGTHS.pack(len(name), len(data)))
        digest.update(name)
        digest.update(data)
    return digest.hexdigest()


def packed(key: str, content: bytes) -> bytes:
    """The file of an entry."""
    digest = sha256(content).digest()
    header = _HEADER.pack(_MAGIC, VERSION, 0, len(content), bytes.fromhex(key), digest)
    return header + content


def read_entry(path: Path, key: str) -> bytes | None:
    """The content of an entry, whose use is noted; None if it is of another version.

    Raises `DamagedEntry`, or `OSError` if it cannot be read.
    """
    # Neither may a link lead elsewhere, nor a pipe keep us waiting.
    file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode):
            raise DamagedEntry("it is no plain file")
        if not is_own(status):
            raise DamagedEntry("others can have written it")
        content = _content(file, status.st_size, key)
        note_use(file, status)
        return content
    finally:
        os.close(file)


def _content(file: int, size: int, key: str) -> bytes | None:
    header = os.read(file, _HEADER.size)
    if len(header) < _START.size:
        raise DamagedEntry("it is cut off")
    magic, version = _START.unpack_from(header)
    if magic != _MAGIC:
        raise DamagedEntry("it does not begin as an entry does")
    if version != VERSION:
        # Whoever wrote it knows what to do with it.
        return None
    if len(header) < _HEADER.size:
        raise DamagedEntry("it is cut off")
    _, _, zero, length, owner, digest = _HEADER.unpack(header)
    if zero or owner.hex() != key:
        raise DamagedEntry("it is the entry of something else")
    if length != size - _HEADER.size:
        raise DamagedEntry("it has another length than it says")
    content = _read(file, length)
    if sha256(content).digest() != digest:
        raise DamagedEntry("its content is not what was written")
    return content


def _read(file: int, length: int) -> bytes:
    content = os.read(file, length)
    # The system gives at most 2 GiB at once.
    while len(content) < length:
        more = os.read(file, length - len(content))
        if not more:
            raise DamagedEntry("it is cut off")
        content += more
    return content
