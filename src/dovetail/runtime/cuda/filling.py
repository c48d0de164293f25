"""Filling memory with a pattern.

The driver has functions for patterns of 1, 2 and 4 bytes. Longer ones are written once, word by
word, and then doubled by copies.
"""

from dovetail.runtime.cuda.api import Handle
from dovetail.runtime.cuda.context import CudaContext

_WORD = 4
_BY_LENGTH = {1: "cuMemsetD8Async", 2: "cuMemsetD16Async", _WORD: "cuMemsetD32Async"}


def fill(context: CudaContext, stream: Handle, target: int, pattern: bytes, size: int) -> None:
    """Fill `size` bytes with a pattern, whose length is a power of two that divides both."""
    short = _shortest(pattern)
    length = len(short)
    if length in _BY_LENGTH:
        value = int.from_bytes(short, "little")
        context.call(_BY_LENGTH[length], target, value, size // length, stream)
        return
    for place in range(0, length, _WORD):
        word = int.from_bytes(short[place : place + _WORD], "little")
        context.call("cuMemsetD32Async", target + place, word, 1, stream)
    done = length
    while done < size:
        step = min(done, size - done)
        context.call("cuMemcpyAsync", target + done, target, step, stream)
        done += step


def _shortest(pattern: bytes) -> bytes:
    """Return the shortest pattern that gives the same bytes."""
    half = len(pattern) // 2
    while half and pattern[:half] == pattern[half:]:
        pattern = pattern[:half]
        half = len(pattern) // 2
    return pattern
