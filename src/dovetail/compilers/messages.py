"""Messages between a build and a child that stays, each after its size."""

# Not typing's: children are to come up fast.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

_SIZE_BYTES = 8
_CHUNK = 1 << 20
"""Bytes that are read at once: what a size claims is not allocated before it has come."""


def send(stream: "IO[bytes]", message: bytes) -> None:
    """Write a message for `receive` on the other side."""
    stream.write(len(message).to_bytes(_SIZE_BYTES, "little"))
    stream.write(message)
    stream.flush()


def receive(stream: "IO[bytes]") -> bytes:
    """The next message; `EOFError` if the other side has ended before its last byte."""
    size = int.from_bytes(_read(stream, _SIZE_BYTES), "little")
    return _read(stream, size)


def _read(stream: "IO[bytes]", size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        chunk = stream.read(min(size - len(data), _CHUNK))
        if not chunk:
            raise EOFError
        data += chunk
    return bytes(data)
