"""Concatenation of several byte strings, each preceded by its size."""

import struct
from collections.abc import Iterable

from dovetail.errors import FormatError

_SIZE = struct.Struct("<Q")


def packed(parts: Iterable[bytes]) -> bytes:
    """Concatenate parts."""
    return b"".join(_SIZE.pack(len(part)) + part for part in parts)


def unpacked(data: bytes) -> list[bytes]:
    """Return the parts that were concatenated; `FormatError` if the data ends within one."""
    parts: list[bytes] = []
    offset = 0
    while offset < len(data):
        start = offset + _SIZE.size
        size = int.from_bytes(data[offset:start], "little")
        offset = start + size
        if offset > len(data):
            raise FormatError(f"packed data ends within part {len(parts)}")
        parts.append(data[start:offset])
    return parts
