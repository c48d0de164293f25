"""What steps make, as bytes: to be kept, and to be told from what they made before."""

import struct
from collections.abc import Iterable
from typing import NamedTuple

_LENGTH = struct.Struct("<Q")


class HostLibrary(NamedTuple):
    """The host's side, linked."""

    content: bytes
    taken: frozenset[str] = frozenset()
    """What the linker took, if it was asked: files, and members as `archive(member)`."""

    def to_bytes(self) -> bytes:
        names = "\n".join(sorted(self.taken)).encode(errors="surrogateescape")
        return packed([self.content, names])

    @classmethod
    def of_bytes(cls, data: bytes) -> "HostLibrary":
        content, names = unpacked(data)
        return cls(content, frozenset(names.decode(errors="surrogateescape").splitlines()))


def packed(parts: Iterable[bytes]) -> bytes:
    """Several contents as one."""
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
