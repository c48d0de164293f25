"""Small tables on standard output."""

import re
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

_UNLIMITED = 1_000_000
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def print_table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table; on a terminal it fits its width, elsewhere nothing is cut."""
    table = Table(*titles)
    for row in rows:
        # As text, since cells are user's data and brackets in them are no markup.
        table.add_row(*(Text(_visible(cell)) for cell in row))
    console = Console()
    if not console.is_terminal:
        console = Console(width=Console(width=_UNLIMITED).measure(table).maximum)
    console.print(table)


def _visible(text: str) -> str:
    """Names come from files that anyone may have written; a terminal must not obey them."""
    return _CONTROL.sub(lambda match: repr(match[0])[1:-1], text)
