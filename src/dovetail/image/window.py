"""Bounded reading of binary formats.

Every offset, size and count in a file is a claim. A `Window` checks each against the available
bytes before anything is read or allocated, and its errors name the byte that holds the claim.
"""

from collections.abc import Iterable, Iterator
from struct import Struct
from typing import NamedTuple

from dovetail.errors import FormatError

Bytes = bytes | bytearray | memoryview
"""Bytes, possibly a view into a file."""

ALIGNMENT = 8
"""Alignment of tables in all formats here."""


class Span(NamedTuple):
    """A claim about the place of a part of a window."""

    what: str
    offset: int
    size: int
    claimed_at: int
    """The offset of the claim itself, for messages."""

    @property
    def end(self) -> int:
        return self.offset + self.size


# Not a dataclass: importing dataclasses would slow down the start of builds.
class Window:
    """The bytes of one structure and its offset in the file."""

    __slots__ = ("data", "format", "start")

    def __init__(self, format_name: str, data: memoryview, start: int = 0) -> None:
        self.format = format_name
        """The name of the format, for messages."""
        self.data = data
        self.start = start

    def __len__(self) -> int:
        return len(self.data)

    def error(self, offset: int, problem: str) -> FormatError:
        """Return an error about the data at `offset`."""
        return FormatError(f"{self.format}, byte {self.start + offset}: {problem}")

    def unpack(self, layout: Struct, offset: int, what: str) -> tuple[int, ...]:
        """Return the fields of the structure at `offset`."""
        self.check(Span(what, offset, layout.size, offset))
        return layout.unpack_from(self.data, offset)

    def unpack_table(self, layout: Struct, table: Span) -> Iterator[tuple[int, ...]]:
        """Return an iterator over the rows of `table`, unpacked with `layout`.

        Raise `FormatError` if the table is out of bounds, misaligned or not a whole number of rows.
        """
        self.check(table)
        self.check_aligned(table)
        if table.size % layout.size:
            problem = f"the size of {table.what}, {table.size}, is not a multiple of {layout.size}"
            raise self.error(table.claimed_at, problem)
        return layout.iter_unpack(self.data[table.offset : table.end])

    def part(self, span: Span) -> memoryview:
        """Return a view of the bytes of `span`."""
        self.check(span)
        return self.data[span.offset : span.end]

    def check(self, span: Span) -> None:
        """Raise `FormatError` if a span does not lie within the window."""
        if span.end > len(self):
            problem = f"{span.what} extends to byte {self.start + span.end}"
            raise self.error(
                span.claimed_at, f"{problem}, the end is at byte {self.start + len(self)}"
            )

    def check_aligned(self, span: Span) -> None:
        """Raise `FormatError` if a span does not begin at an aligned offset of the file."""
        if span.offset % ALIGNMENT:
            place = self.start + span.offset
            raise self.error(span.claimed_at, f"{span.what} is misaligned, at byte {place}")

    def check_zero(self, begin: int, end: int) -> None:
        """Raise `FormatError` if a byte between `begin` and `end` is not zero."""
        for offset, byte in enumerate(self.data[begin:end], start=begin):
            if byte:
                raise self.error(offset, f"expected zero as padding, got {byte}")

    def check_disjoint(self, spans: Iterable[Span]) -> None:
        """Raise `FormatError` if two spans overlap.

        Otherwise the cost of reading a file would not be bounded by its size.
        """
        reached = Span("the start", 0, 0, 0)
        for span in sorted((s for s in spans if s.size), key=lambda s: s.offset):
            if span.offset < reached.end:
                raise self.error(span.claimed_at, f"{span.what} overlaps {reached.what}")
            reached = span


def window_on(format_name: str, data: Bytes, start: int = 0) -> Window:
    """Return a read-only window over all of `data`."""
    return Window(format_name, flat(data).toreadonly(), start)


def flat(data: Bytes) -> memoryview:
    """Return a view of `data` as bytes, whatever its element type."""
    return memoryview(data).cast("B")


def align(offset: int) -> int:
    """Round `offset` up to a multiple of the alignment."""
    return -(-offset // ALIGNMENT) * ALIGNMENT


def padding(size: int) -> bytes:
    """Return the zeros that pad `size` bytes to the next aligned offset."""
    return bytes(align(size) - size)
