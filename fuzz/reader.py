"""The description of a fuzzed reader: its seeds, edits and limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

CONTAINER_COUNT = 1_000_000
READER_COUNT = 100_000
CHILD_COUNT = 10_000
"""Default numbers of inputs: for container formats, other readers, and readers that start a process
for each input."""


def unchanged(data: bytes) -> bytes:
    """Return the input unchanged: most formats have no checksums."""
    return data


@dataclass(frozen=True)
class Reader:
    """A reader of Dovetail with everything that the engine needs to fuzz it."""

    reads: str
    """The input that it reads, for `--list`."""
    seeds: Callable[[], Sequence[bytes]]
    """Return valid inputs; `read` accepts each."""
    read: Callable[[bytes], object]
    """Read one input. Any exception other than `DovetailError` is a fault."""
    edit: Callable[[bytes, Random], bytes]
    """Return an input with changed structure; `DovetailError` if the structure is invalid."""
    repair: Callable[[bytes], bytes] = unchanged
    """Return an input with correct checksums, after its bytes were mutated."""
    count: int = READER_COUNT
    max_size: int = 16 << 10
    starts_children: bool = False
    """Whether reading starts processes, which need more memory than the limit for readers."""
