"""Several contents as one, each after its length."""

import struct
from collections.abc import Iterable

_LENGTH = struct.Struct("<Q")


def packed(parts: Iterable[bytes]) -> bytes:
    """The contents, one after the other."""
    return b"".join(_LENGTH.pack(len(part)) + part for part in parts)


def unpacked(data: bytes) -> list[bytes]:
    """The contents that were packed."""
    parts: list[bytes] = []
    at = 0
    while at < len(data):
        start = at + _LENGTH.size
        (length,) = _LENGTH.unpack_from(data, at)
        at = start + length
        parts.append(data[start:at])
    return parts
