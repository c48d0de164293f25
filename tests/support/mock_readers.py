"""Readers with faults, to see whether fuzzing finds them."""

import os
from random import Random

from fuzz.reader import Reader

_ALLOCATION = 1 << 30


def _seeds() -> list[bytes]:
    return [b"good"]


def _edit(data: bytes, random: Random) -> bytes:
    return data + random.choice((b"a", b"b"))


def _raise(data: bytes) -> None:
    if b"a" in data[4:]:
        raise KeyError("a")


def _allocate(data: bytes) -> None:
    if b"a" in data[4:]:
        bytearray(_ALLOCATION)


def _crash(data: bytes) -> None:
    if b"a" in data[4:]:
        os.abort()


RAISES = Reader("nothing", _seeds, _raise, _edit)
ALLOCATES = Reader("nothing", _seeds, _allocate, _edit)
CRASHES = Reader("nothing", _seeds, _crash, _edit)
