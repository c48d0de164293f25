"""Entries: their keys and their file format.

A key is a digest of all inputs that an entry depends on, and is the name of its file. The file has
a header, which is checked before the content is returned, and the content.

| bytes | what |
|---|---|
| 8 | `DOVETAIL` |
| 4 | version of this format |
| 4 | zero |
| 8 | size of the content |
| 32 | the key |
| 32 | SHA-256 of the content |
"""

import os
import stat
import struct
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from dovetail.cache.folder import is_own

VERSION = 1
"""Version of the entry format. Part of every key, so different versions use different files."""

_MAGIC = b"DOVETAIL"
_HEADER = struct.Struct("<8sIIQ32s32s")
_START = struct.Struct("<8sI")
"""The fields that entries of all versions begin with."""

_SIZES = struct.Struct("<QQ")

_USE_PRECISION_S = 3600
"""A use is not recorded again within this time, so most uses write nothing."""


class DamagedEntry(Exception):
    """An entry differs from what was written; the message says how."""


def key_of(*parts: tuple[str, str | bytes]) -> str:
    """Return the key for a list of labeled parts.

    Sizes are part of the digest, so lists that differ only in where parts end get different keys.
    """
    digest = sha256(VERSION.to_bytes(4, "little"))
    for label, value in parts:
        name = label.encode()
        data = value.encode(errors="surrogateescape") if isinstance(value, str) else value
        digest.update(_SIZES.pack(len(name), len(data)))
        digest.update(name)
        digest.update(data)
    return digest.hexdigest()


def encode_entry(key: str, content: bytes) -> bytes:
    """Return the bytes of the file of an entry."""
    digest = sha256(content).digest()
    header = _HEADER.pack(_MAGIC, VERSION, 0, len(content), bytes.fromhex(key), digest)
    return header + content


def read_entry(path: Path, key: str) -> bytes | None:
    """Return the content of an entry and record its use; None if it has another format version.

    Raise `DamagedEntry` if it is invalid, or `OSError` if it cannot be read.
    """
    # Do not follow a link, and do not block on a pipe.
    file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode):
            raise DamagedEntry("not a regular file")
        if not is_own(status):
            raise DamagedEntry("other users could have written it")
        content = _content(file, status.st_size, key)
        note_use(file, status)
        return content
    finally:
        os.close(file)


def note_use(file: int | os.PathLike[str], status: os.stat_result) -> None:
    """Record that a file with this status is used now, if that is possible."""
    # A time in the future is wrong; the file would never be the least recently used one.
    if not 0 <= time.time() - status.st_mtime < _USE_PRECISION_S:
        with suppress(OSError):
            os.utime(file)


def _content(file: int, size: int, key: str) -> bytes | None:
    """Return the content of an entry, or None if another version of Dovetail wrote it.

    Raise `DamagedEntry` if the entry is invalid or belongs to another key.
    """
    header = os.read(file, _HEADER.size)
    if len(header) < _START.size:
        raise DamagedEntry("it is truncated")
    magic, version = _START.unpack_from(header)
    if magic != _MAGIC:
        raise DamagedEntry("the magic number of an entry is missing")
    if version != VERSION:
        # Left for the version of Dovetail that wrote it.
        return None
    if len(header) < _HEADER.size:
        raise DamagedEntry("it is truncated")
    _, _, zero, length, owner, digest = _HEADER.unpack(header)
    if zero or owner.hex() != key:
        raise DamagedEntry("it has the header of another entry")
    if length != size - _HEADER.size:
        raise DamagedEntry(f"expected {length} bytes of content, got {size - _HEADER.size}")
    content = _read(file, length)
    if sha256(content).digest() != digest:
        raise DamagedEntry("the digest of its content does not match")
    return content


def _read(file: int, length: int) -> bytes:
    content = os.read(file, length)
    # One system call reads at most 2 GiB.
    while len(content) < length:
        more = os.read(file, length - len(content))
        if not more:
            raise DamagedEntry("it is truncated")
        content += more
    return content
