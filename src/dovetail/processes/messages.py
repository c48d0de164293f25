"""Messages between this process and workers, each after its size."""

import os
import sys

# Not typing's: workers are to come up fast.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO, NoReturn

_SIZE_BYTES = 8
_CHUNK = 1 << 20
"""Bytes that are read at once: what a size claims is not allocated before it has come."""


def send(stream: "IO[bytes]", message: bytes) -> None:
    """Write a message for `receive` on the other side."""
    stream.write(len(message).to_bytes(_SIZE_BYTES, "little"))
    stream.write(message)
    stream.flush()


def receive(stream: "IO[bytes]") -> bytes:
    """Return the next message; `EOFError` if the other side has ended before its last byte."""
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


def answer_stream() -> "IO[bytes]":
    """In a worker, return the stream for answers; from now on all else goes to standard error.

    What drivers and libraries print is not part of an answer.
    """
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return answers


def serve(answers: "IO[bytes]", answer: "Callable[[bytes], tuple[bytes, bool]]") -> "NoReturn":
    """Be a worker: answer requests until there are no more, or `answer` returns False.

    It does so after a failure, which may have left something in a library for the next request.
    """
    is_sound = True
    while is_sound:
        try:
            request = receive(sys.stdin.buffer)
        except EOFError:
            break
        reply, is_sound = answer(request)
        send(answers, reply)
    # Without the clean-up of libraries, for which nobody waits and which bad code can bring down.
    os._exit(0)
