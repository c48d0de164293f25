"""Standard output and standard error of a command, with output that is safe for terminals."""

import os
import sys
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from dovetail.printable import visible, visible_lines

_UNLIMITED = 1_000_000


class SafeOutput:
    """A text stream that escapes control characters; see `dovetail.printable`."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        """The underlying stream; text written to it directly is not escaped."""
        self.colors = False
        """Whether escape sequences for colors are passed through."""
        self.color_choice: bool | None = None
        """Whether the user asked for colored messages, or for plain ones; None for neither."""

    def write(self, text: str) -> int:
        self.stream.write(visible_lines(text, colors=self.colors))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> object:
        return getattr(self.stream, name)


@contextmanager
def safe_streams() -> Generator[None]:
    """Make standard output and standard error safe; replace closed streams by the null device."""
    null = Path(os.devnull)
    # Opened for the lifetime of the process.
    sys.stdin = sys.stdin or null.open()
    sys.stdout = _safe(sys.stdout or null.open("w"))
    sys.stderr = _safe(sys.stderr or null.open("w"))
    try:
        yield
    finally:
        # A stream whose reader has gone may have been set to None meanwhile.
        sys.stdout = sys.stdout and _unsafe(sys.stdout)
        sys.stderr = sys.stderr and _unsafe(sys.stderr)


def _safe(stream: TextIO) -> SafeOutput:
    _escape_unencodable(stream)
    return SafeOutput(stream)


def _escape_unencodable(stream: TextIO) -> None:
    """Escape characters that the stream's encoding lacks, instead of raising."""
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")


def _unsafe(stream: TextIO | SafeOutput) -> TextIO:
    return stream.stream if isinstance(stream, SafeOutput) else stream


def write_control(text: str) -> None:
    """Write text to standard error without escaping control characters."""
    stream = _unsafe(sys.stderr)
    stream.write(text)
    stream.flush()


def choose_colors(choice: bool | None) -> None:
    """Note what the user chose with clang's options for messages on standard error."""
    if isinstance(sys.stderr, SafeOutput):
        sys.stderr.color_choice = choice


def color_choice() -> bool | None:
    """Return what `choose_colors` noted."""
    return sys.stderr.color_choice if isinstance(sys.stderr, SafeOutput) else None


@contextmanager
def colors(stream: TextIO) -> Generator[None]:
    """Pass colors through on a stream temporarily, for text with only our own colors."""
    if not isinstance(stream, SafeOutput):
        yield
        return
    before, stream.colors = stream.colors, True
    try:
        yield
    finally:
        stream.colors = before


def print_table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table; on a terminal it fits the width, elsewhere nothing is truncated."""
    # Imported late: most commands print no table.
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*titles)
    for row in rows:
        # As text, since cells contain user data, and brackets in them are not markup.
        table.add_row(*(Text(visible(cell)) for cell in row))
    console = Console()
    if not console.is_terminal:
        console = Console(width=Console(width=_UNLIMITED).measure(table).maximum)
    with colors(sys.stdout):
        console.print(table)
