"""Bounded reading of binary formats.

Every offset, size and count in a file is a claim. A `Window` holds each against the bytes that are
there before anything is read or allocated, and its errors name the byte where the claim stands.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from struct import Struct
from typing import NamedTuple

from dovetail.errors import FormatError

Bytes = bytes | bytearray | memoryview
"""Bytes that may still lie in the file they came from."""

ALIGNMENT = 8
"""Of the tables of all formats here."""


class Span(NamedTuple):
    """A claim that a part of a window is used for something."""

    what: str
    offset: int
    size: int
    claimed_at: int
    """Where the file says so; for messages."""

    @property
    def end(self) -> int:
        return self.offset + self.size


@dataclass(frozen=True)
class Window:
    """The bytes of one structure and where it starts in its file."""

    format: str
    """The name of the format, for messages."""
    data: memoryview
    start: int = 0

    def __len__(self) -> int:
        return len(self.data)

    def error(self, offset: int, problem: str) -> FormatError:
        """An error about what is at `offset`."""
        return FormatError(f"{self.format}, byte {self.start + offset}: {problem}")

    def unpack(self, layout: Struct, offset: int, what: str) -> tuple[int, ...]:
        """The fields of the structure at `offset`."""
        self.check(Span(what, offset, layout.size, offset))
        return layout.unpack_from(self.data, offset)

    def unpack_table(self, layout: Struct, table: Span) -> Iterator[tuple[int, ...]]:
        """The rows of a table of such structures."""
        self.check(table)
        self.check_aligned(table)
        if table.size % layout.size:
            problem = f"{table.what} of {table.size} bytes has no whole number of rows"
            raise self.error(table.claimed_at, f"{problem} of {layout.size}")
        return layout.iter_unpack(self.data[table.offset : table.end])

    def part(self, span: Span) -> memoryview:
        """The bytes of `span`; not a copy."""
        self.check(span)
        return self.data[span.offset : span.end]

    def check(self, span: Span) -> None:
        """Refuse a span that is not wholly inside."""
        if span.end > len(self):
            problem = f"{span.what} goes to byte {self.start + span.end}"
            raise self.error(
                span.claimed_at, f"{problem}, the end is at byte {self.start + len(self)}"
            )

    def check_aligned(self, span: Span) -> None:
        if span.offset % ALIGNMENT:
            place = self.start + span.offset
            raise self.error(span.claimed_at, f"{span.what} is misaligned, at byte {place}")

    def check_zero(self, begin: int, end: int) -> None:
        """Refuse anything but zeros between `begin` and `end`."""
        for offset, byte in enumerate(self.data[begin:end], start=begin):
            if byte:
                raise self.error(offset, f"a byte of padding is {byte}")

    def check_disjoint(self, spans: Iterable[Span]) -> None:
        """Refuse spans that share bytes.

        Beside being wrong, such a file could make its reader do far more than its size warrants.
        """
        reached = Span("the start", 0, 0, 0)
        for span in sorted((s for s in spans if s.size), key=lambda s: s.offset):
            if span.offset < reached.end:
                raise self.error(span.claimed_at, f"{span.what} overlaps {reached.what}")
            reached = span


def window_on(format_name: str, data: Bytes, start: int = 0) -> Window:
    """All of `data`, read-only."""
    return Window(format_name, flat(data).toreadonly(), start)


def flat(data: Bytes) -> memoryview:
    """`data` byte by byte, whatever its elements are; not a copy."""
    return memoryview(data).cast("B")


def align(offset: int) -> int:
    """The first aligned offset from `offset` on."""
    return -(-offset // ALIGNMENT) * ALIGNMENT


def padding(size: int) -> bytes:
    """The zeros that follow `size` bytes up to the next aligned offset."""
    return bytes(align(size) - size)
