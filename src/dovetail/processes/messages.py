"""The protocol between this process and workers: messages, each preceded by its size."""

import os
import sys

# Not from typing: importing it would slow down the start of workers.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO, NoReturn

_SIZE_BYTES = 8
_CHUNK = 1 << 20
"""Bytes that are read at once, so that a wrong size does not cause a large allocation."""


def send(stream: "IO[bytes]", message: bytes) -> None:
    """Write a message, which the other side reads with `receive`."""
    stream.write(len(message).to_bytes(_SIZE_BYTES, "little"))
    stream.write(message)
    stream.flush()


def receive(stream: "IO[bytes]") -> bytes:
    """Return the next message; `EOFError` if the other side ends before its last byte."""
    size = int.from_bytes(_read(stream, _SIZE_BYTES), "little")
    return _read(stream, size)


def _read(stream: "IO[bytes]", size: int) -> bytes:
    """Return exactly `size` bytes; raise `EOFError` if the stream ends before."""
    data = bytearray()
    while len(data) < size:
        chunk = stream.read(min(size - len(data), _CHUNK))
        if not chunk:
            raise EOFError
        data += chunk
    return bytes(data)


def answer_stream() -> "IO[bytes]":
    """In a worker, return the stream for answers and redirect standard output to standard error.

    This keeps the output of drivers and libraries out of the answers.
    """
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return answers


def serve(answers: "IO[bytes]", answer: "Callable[[bytes], tuple[bytes, bool]]") -> "NoReturn":
    """Run a worker: answer requests until there are no more, or `answer` returns False.

    False means that a failure may have left a library in a state that affects the next request.
    """
    can_continue = True
    while can_continue:
        try:
            request = receive(sys.stdin.buffer)
        except EOFError:
            break
        reply, can_continue = answer(request)
        send(answers, reply)
    # Skip the clean-up of libraries, which takes time and may crash after bad code.
    os._exit(0)
