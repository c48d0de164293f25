"""Standard output and standard error of a command: whatever is printed is safe for terminals."""

import os
import sys
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO, cast

from dovetail.printable import visible, visible_lines

_UNLIMITED = 1_000_000


class SafeOutput:
    """A text stream that escapes what a terminal would obey; see `dovetail.printable`."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        """Where the text goes; what is written there directly is not escaped."""
        self.colours = False
        """Whether sequences for colours pass."""

    def write(self, text: str) -> int:
        self.stream.write(visible_lines(text, colours=self.colours))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> object:
        return getattr(self.stream, name)


@contextmanager
def safe_streams() -> Generator[None]:
    """Make standard output and standard error safe, and usable if they are closed."""
    nothing = Path(os.devnull)
    # For as long as the process lasts.
    sys.stdin = sys.stdin or nothing.open()
    sys.stdout = _safe(sys.stdout or nothing.open("w"))
    sys.stderr = _safe(sys.stderr or nothing.open("w"))
    try:
        yield
    finally:
        # One that nobody reads any more may have been given up meanwhile.
        sys.stdout = sys.stdout and _unsafe(sys.stdout)
        sys.stderr = sys.stderr and _unsafe(sys.stderr)


def _safe(stream: TextIO) -> TextIO:
    if isinstance(stream, TextIOWrapper):
        # A terminal's encoding may lack characters.
        stream.reconfigure(errors="backslashreplace")
    return cast("TextIO", SafeOutput(cast("TextIO", stream)))


def _unsafe(stream: TextIO) -> TextIO:
    return stream.stream if isinstance(stream, SafeOutput) else stream


def write_control(text: str) -> None:
    """Write to standard error what a terminal is meant to obey."""
    stream = _unsafe(sys.stderr)
    stream.write(text)
    stream.flush()


def allow_colours() -> None:
    """From now on, let colours pass on standard error: clang was asked for them."""
    if isinstance(sys.stderr, SafeOutput):
        sys.stderr.colours = True


@contextmanager
def colours(stream: TextIO) -> Generator[None]:
    """Let colours pass on a stream for a while; what is printed has none but ours."""
    if not isinstance(stream, SafeOutput):
        yield
        return
    before, stream.colours = stream.colours, True
    try:
        yield
    finally:
        stream.colours = before


def print_table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table; on a terminal it fits its width, elsewhere nothing is cut."""
    # Most commands print none, and need not pay for what draws them.
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*titles)
    for row in rows:
        # As text, since cells are user's data and brackets in them are no markup.
        table.add_row(*(Text(visible(cell)) for cell in row))
    console = Console()
    if not console.is_terminal:
        console = Console(width=Console(width=_UNLIMITED).measure(table).maximum)
    with colours(sys.stdout):
        console.print(table)
