"""File tables: lists of the files of each device image, as DPC++'s tools exchange them.

    [Code|Properties|Symbols]
    a_0.bc|a_0.prop|a_0.sym
    a_1.bc|a_1.prop|a_1.sym

The first line has the titles of the columns, each further line is a row. A *list* is a table
without titles, as written by tools that produce one file for each row; its columns are called
0, 1, ... `docs/formats.md` has the grammar. Operations return a new table; no function reads files.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dovetail.errors import FormatError, UsageError, nearest
from dovetail.files import FILE_TABLE

CODE = "Code"
PROPERTIES = "Properties"
SYMBOLS = "Symbols"

MAX_SIZE = FILE_TABLE.limit
"""Bytes: enough for a hundred thousand images."""

_SEPARATOR = "|"
# A line break would end the row; any other control character indicates damage.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_ORDINAL = re.compile(r"0|[1-9][0-9]{0,8}")


class FileTable(NamedTuple):
    """Titles, and for each image a row with a cell, usually a file name, for each title."""

    titles: tuple[str, ...]
    """Unique; empty in a list without rows, whose columns are unknown."""
    rows: tuple[tuple[str, ...], ...] = ()


def parse_file_table(text: bytes, *, titled: bool = True) -> FileTable:
    """Parse a file table; `FormatError` names the line that is wrong.

    If `titled` is false, a table without titles is read as a list; otherwise it is an error.
    """
    if len(text) > MAX_SIZE:
        raise FormatError(f"file table: {len(text)} bytes are more than the {MAX_SIZE} allowed")
    titles: tuple[str, ...] | None = None
    rows: list[tuple[str, ...]] = []
    for number, line in enumerate(text.split(b"\n"), start=1):
        if not line:
            continue
        try:
            cells = _cells(line)
            if titles is None and line.startswith(b"["):
                titles = _titles(line)
                continue
            if titles is None:
                titles = _list_titles(len(cells), titled=titled)
            if len(cells) != len(titles):
                raise ValueError(f"expected {_count(len(titles), 'cell')}, got {len(cells)}")
        except UnicodeDecodeError:
            raise FormatError(f"file table, line {number}: expected UTF-8 text") from None
        except ValueError as error:
            raise FormatError(f"file table, line {number}: {error}") from None
        rows.append(cells)
    if titles is None and titled:
        raise FormatError("file table, line 1: there is no line with titles, such as [Code]")
    return FileTable(titles or (), tuple(rows))


def format_file_table(table: FileTable, *, titled: bool = True) -> bytes:
    """Serialize `table`, without the line of titles if `titled` is false."""
    _check_titles(table.titles)
    lines = [f"[{_SEPARATOR.join(table.titles)}]"] if titled and table.titles else []
    for number, row in enumerate(table.rows):
        for cell in row:
            if _SEPARATOR in cell or _CONTROL.search(cell):
                raise FormatError(f"file table, row {number}: {cell!r} cannot be a cell")
        line = _SEPARATOR.join(row)
        if not line:
            raise FormatError(f"file table, row {number}: the only cell of a row cannot be empty")
        # Nor a line that would be parsed as something else.
        if len(row) != len(table.titles) or (not lines and line.startswith("[")):
            raise FormatError(f"file table, row {number}: {line!r} cannot be a row")
        lines.append(line)
    try:
        return "".join(f"{line}\n" for line in lines).encode()
    except UnicodeEncodeError:
        raise FormatError("file table: a name in it is not UTF-8") from None


def column_index(table: FileTable, column: str) -> int:
    """The index of a column, named by title or position from 0; `UsageError` if there is none."""
    if column in table.titles:
        return table.titles.index(column)
    if _ORDINAL.fullmatch(column) and int(column) < len(table.titles):
        return int(column)
    raise UsageError(
        f"there is no column '{column}' in a table of {', '.join(table.titles) or 'no columns'}",
        hint=nearest(column, table.titles) or "name a column by its title or position from 0",
    )


def extract_columns(table: FileTable, columns: Iterable[str]) -> FileTable:
    """Return only these columns, in this order."""
    indices = [column_index(table, column) for column in columns]
    titles = tuple(table.titles[index] for index in indices)
    _check_unique(titles, UsageError)
    return FileTable(titles, tuple(tuple(row[index] for index in indices) for row in table.rows))


def rename_column(table: FileTable, old: str, new: str) -> FileTable:
    """Give a column another title."""
    index = column_index(table, old)
    titles = (*table.titles[:index], new, *table.titles[index + 1 :])
    _check_unique(titles, UsageError)
    _check_titles(titles)
    return FileTable(titles, table.rows)


def replace_column(table: FileTable, column: str, other: FileTable, source: str) -> FileTable:
    """Replace the cells of `column` by those of column `source` of another table, row by row."""
    if len(table.rows) != len(other.rows):
        raise UsageError(
            f"column '{column}' has {_count(len(table.rows), 'row')}, but its replacement has"
            f" {_count(len(other.rows), 'row')}",
            hint="the tables must have a row for each image, in the same order",
        )
    index = column_index(table, column)
    # The columns of a list without rows are unknown, so any name is accepted.
    from_index = column_index(other, source) if other.titles else 0
    return FileTable(
        table.titles,
        tuple(
            (*row[:index], other_row[from_index], *row[index + 1 :])
            for row, other_row in zip(table.rows, other.rows, strict=True)
        ),
    )


def replace_cell(table: FileTable, column: str, row: int, cell: str) -> FileTable:
    """Replace one cell; rows count from 0."""
    index = column_index(table, column)
    before = table.rows[_checked_row(table, row)]
    after = (*before[:index], cell, *before[index + 1 :])
    return FileTable(table.titles, (*table.rows[:row], after, *table.rows[row + 1 :]))


def cell_of(table: FileTable, column: str, row: int) -> str:
    """Return one cell; rows count from 0."""
    index = column_index(table, column)
    return table.rows[_checked_row(table, row)][index]


def column_of(table: FileTable, column: str) -> tuple[str, ...]:
    """The cells of a column."""
    index = column_index(table, column)
    return tuple(row[index] for row in table.rows)


def concatenate(tables: Sequence[FileTable]) -> FileTable:
    """Join the rows of all tables, in order; their titles must be the same."""
    titles: tuple[str, ...] = ()
    for table in tables:
        if titles and table.titles and table.titles != titles:
            raise UsageError(
                f"a table with the titles {', '.join(table.titles)} cannot be joined to one with"
                f" {', '.join(titles)}",
                hint="extract and rename columns first, so that the titles are the same",
            )
        titles = titles or table.titles
    return FileTable(titles, tuple(row for table in tables for row in table.rows))


def _cells(line: bytes) -> tuple[str, ...]:
    text = line.decode()
    control = _CONTROL.search(text)
    if control:
        raise ValueError(f"unexpected control character {control[0]!r}")
    return tuple(text.split(_SEPARATOR))


def _titles(line: bytes) -> tuple[str, ...]:
    if not line.endswith(b"]"):
        raise ValueError("expected ']' after the titles")
    titles = tuple(line[1:-1].decode().split(_SEPARATOR))
    if "" in titles:
        raise ValueError("an empty title")
    duplicate = _duplicate(titles)
    if duplicate is not None:
        raise ValueError(f"title '{duplicate}' appears twice")
    return titles


def _list_titles(count: int, *, titled: bool) -> tuple[str, ...]:
    if titled:
        raise ValueError("expected a line with titles, such as [Code], before any row")
    return tuple(map(str, range(count)))


def _check_titles(titles: Sequence[str]) -> None:
    for title in titles:
        if not title or _SEPARATOR in title or _CONTROL.search(title):
            raise FormatError(f"{title!r} cannot be the title of a column")
    _check_unique(titles, FormatError)


def _check_unique(titles: Sequence[str], error: type[FormatError] | type[UsageError]) -> None:
    duplicate = _duplicate(titles)
    if duplicate is not None:
        raise error(f"the table would have the column '{duplicate}' twice")


def _duplicate(titles: Sequence[str]) -> str | None:
    seen: set[str] = set()
    for title in titles:
        if title in seen:
            return title
        seen.add(title)
    return None


def _checked_row(table: FileTable, row: int) -> int:
    if not 0 <= row < len(table.rows):
        raise UsageError(
            f"there is no row {row}",
            hint=f"rows count from 0, and the table has {_count(len(table.rows), 'row')}",
        )
    return row


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
