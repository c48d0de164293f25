"""Several contents as one, each after its length."""

import struct
from collections.abc import Iterable

from dovetail.errors import FormatError

_LENGTH = struct.Struct("<Q")


def packed(parts: Iterable[bytes]) -> bytes:
    """The contents, one after the other."""
    return b"".join(_LENGTH.pack(len(part)) + part for part in parts)


def unpacked(data: bytes) -> list[bytes]:
    """The contents that were packed; `FormatError` if the data ends within one."""
    parts: list[bytes] = []
    at = 0
    while at < len(data):
        start = at + _LENGTH.size
        length = int.from_bytes(data[at:start], "little")
        at = start + length
        if at > len(data):
            raise FormatError(f"packed contents: the data ends within part {len(parts)}")
        parts.append(data[start:at])
    return parts
