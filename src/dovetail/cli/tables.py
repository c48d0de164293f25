"""Small tables on standard output."""

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dovetail.cli.output import colours
from dovetail.printable import visible

_UNLIMITED = 1_000_000


def print_table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table; on a terminal it fits its width, elsewhere nothing is cut."""
    table = Table(*titles)
    for row in rows:
        # As text, since cells are user's data and brackets in them are no markup.
        table.add_row(*(Text(visible(cell)) for cell in row))
    console = Console()
    if not console.is_terminal:
        console = Console(width=Console(width=_UNLIMITED).measure(table).maximum)
    with colours(sys.stdout):
        console.print(table)
