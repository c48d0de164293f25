"""What is fuzzed: a reader, the inputs to start from and how to change them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

CONTAINER_COUNT = 1_000_000
READER_COUNT = 100_000
CHILD_COUNT = 10_000
"""Default numbers of inputs: for container formats, for other readers, and for readers that start
a process for each input."""


def unchanged(data: bytes) -> bytes:
    """Return the input itself: most formats have no checksums to repair."""
    return data


@dataclass(frozen=True)
class Reader:
    """A reader of Dovetail and everything that the engine needs to fuzz it."""

    reads: str
    """What it reads, for `--list`."""
    seeds: Callable[[], Sequence[bytes]]
    """Return valid inputs; `read` accepts each."""
    read: Callable[[bytes], object]
    """Read one input. Any exception other than `DovetailError` is a fault."""
    edit: Callable[[bytes, Random], bytes]
    """Change the structure of an input and write it again; `DovetailError` if it has none."""
    repair: Callable[[bytes], bytes] = unchanged
    """Return the input with correct checksums, after its bytes were changed blindly."""
    count: int = READER_COUNT
    max_size: int = 16 << 10
    starts_children: bool = False
    """Whether reading starts processes, which need more memory than the reader may take."""
