"""What steps make, as bytes: to be kept, and to be told from what they made before."""

from typing import NamedTuple

from dovetail.errors import FormatError
from dovetail.packing import packed, unpacked


class HostLibrary(NamedTuple):
    """The host's side, linked."""

    content: bytes
    taken: frozenset[str] = frozenset()
    """What the linker took, if it was asked: files, and members as `archive(member)`."""

    def to_bytes(self) -> bytes:
        names = (name.encode(errors="surrogateescape") for name in sorted(self.taken))
        return packed([self.content, *names])

    @classmethod
    def of_bytes(cls, data: bytes) -> "HostLibrary":
        parts = unpacked(data)
        if not parts:
            raise FormatError("a host library without content")
        content, *names = parts
        return cls(content, frozenset(name.decode(errors="surrogateescape") for name in names))
