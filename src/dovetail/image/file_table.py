"""File tables: which files belong to each device image, as DPC++'s tools hand them on.

    [Code|Properties|Symbols]
    a_0.bc|a_0.prop|a_0.sym
    a_1.bc|a_1.prop|a_1.sym

The first line has the titles of the columns, each line below it is a row. A *list* is a table
without titles, as tools write it that make a file for each row; its columns are called 0, 1, ...
`docs/formats.md` has the grammar. All functions here return a new table and read no file.
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
# A line break would end the row, and any other control character is a sign of damage.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_ORDINAL = re.compile(r"0|[1-9][0-9]{0,8}")


class FileTable(NamedTuple):
    """Titles, and for each image a row with a cell, mostly a file's name, for each title."""

    titles: tuple[str, ...]
    """Each once. None at all in a list without rows, whose columns nobody knows."""
    rows: tuple[tuple[str, ...], ...] = ()


def parse_file_table(text: bytes, *, titled: bool = True) -> FileTable:
    """The table in `text`; `FormatError` names the line that is wrong.

    Without titles a table is refused, unless `titled` is false: then it is read as a list.
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
                raise ValueError(f"{_count(len(cells), 'cell')} for {_count(len(titles), 'title')}")
        except ValueError as error:
            raise FormatError(f"file table, line {number}: {error}") from None
        rows.append(cells)
    if titles is None and titled:
        raise FormatError("file table, line 1: there is no line with titles, such as [Code]")
    return FileTable(titles or (), tuple(rows))


def format_file_table(table: FileTable, *, titled: bool = True) -> bytes:
    """The text of `table`; without the line of titles, if `titled` is false."""
    _check_titles(table.titles)
    lines = [f"[{_SEPARATOR.join(table.titles)}]"] if titled and table.titles else []
    for number, row in enumerate(table.rows):
        for cell in row:
            if _SEPARATOR in cell or _CONTROL.search(cell):
                raise FormatError(f"file table, row {number}: {cell!r} cannot be a cell")
        line = _SEPARATOR.join(row)
        if not line:
            raise FormatError(f"file table, row {number}: the only cell of a row cannot be empty")
        # Nor what would be taken for something else when it is read.
        if len(row) != len(table.titles) or (not lines and line.startswith("[")):
            raise FormatError(f"file table, row {number}: {line!r} cannot be a row")
        lines.append(line)
    try:
        return "".join(f"{line}\n" for line in lines).encode()
    except UnicodeEncodeError:
        raise FormatError("file table: a name in it is not UTF-8") from None


def column_index(table: FileTable, column: str) -> int:
    """Where a column is, given by its title or by its position from 0; `UsageError` if nowhere."""
    if column in table.titles:
        return table.titles.index(column)
    if _ORDINAL.fullmatch(column) and int(column) < len(table.titles):
        return int(column)
    raise UsageError(
        f"there is no column '{column}' in a table of {', '.join(table.titles) or 'no columns'}",
        hint=nearest(column, table.titles) or "columns go by title, or by position from 0",
    )


def extract_columns(table: FileTable, columns: Iterable[str]) -> FileTable:
    """Only these columns, in this order."""
    indices = [column_index(table, column) for column in columns]
    titles = tuple(table.titles[index] for index in indices)
    _check_twice(titles, UsageError)
    return FileTable(titles, tuple(tuple(row[index] for index in indices) for row in table.rows))


def rename_column(table: FileTable, old: str, new: str) -> FileTable:
    """The same cells under another title."""
    index = column_index(table, old)
    titles = (*table.titles[:index], new, *table.titles[index + 1 :])
    _check_twice(titles, UsageError)
    _check_titles(titles)
    return FileTable(titles, table.rows)


def replace_column(table: FileTable, column: str, other: FileTable, source: str) -> FileTable:
    """The cells of `column` replaced by those of a column of another table, row by row."""
    if len(table.rows) != len(other.rows):
        raise UsageError(
            f"column '{column}' has {_count(len(table.rows), 'row')}, but what should replace it"
            f" has {_count(len(other.rows), 'row')}",
            hint="the tables must have a row for each image, in the same order",
        )
    index = column_index(table, column)
    # Of a list without rows nobody knows the columns, so it has whichever is asked for.
    from_index = column_index(other, source) if other.titles else 0
    return FileTable(
        table.titles,
        tuple(
            (*row[:index], other_row[from_index], *row[index + 1 :])
            for row, other_row in zip(table.rows, other.rows, strict=True)
        ),
    )


def replace_cell(table: FileTable, column: str, row: int, cell: str) -> FileTable:
    """One cell replaced; rows count from 0."""
    index = column_index(table, column)
    before = table.rows[_checked_row(table, row)]
    after = (*before[:index], cell, *before[index + 1 :])
    return FileTable(table.titles, (*table.rows[:row], after, *table.rows[row + 1 :]))


def cell_of(table: FileTable, column: str, row: int) -> str:
    """One cell; rows count from 0."""
    index = column_index(table, column)
    return table.rows[_checked_row(table, row)][index]


def column_of(table: FileTable, column: str) -> tuple[str, ...]:
    """The cells of a column."""
    index = column_index(table, column)
    return tuple(row[index] for row in table.rows)


def concatenate(tables: Sequence[FileTable]) -> FileTable:
    """The rows of all tables, in order; their titles must be the same."""
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
    strange = _CONTROL.search(text)
    if strange:
        raise ValueError(f"the control character {strange[0]!r}")
    return tuple(text.split(_SEPARATOR))


def _titles(line: bytes) -> tuple[str, ...]:
    if not line.endswith(b"]"):
        raise ValueError("titles without a bracket at the end")
    titles = tuple(line[1:-1].decode().split(_SEPARATOR))
    if "" in titles:
        raise ValueError("an empty title")
    twice = _twice(titles)
    if twice is not None:
        raise ValueError(f"title '{twice}' is there twice")
    return titles


def _list_titles(count: int, *, titled: bool) -> tuple[str, ...]:
    if titled:
        raise ValueError("not a line with titles, such as [Code], which must come first")
    return tuple(map(str, range(count)))


def _check_titles(titles: Sequence[str]) -> None:
    for title in titles:
        if not title or _SEPARATOR in title or _CONTROL.search(title):
            raise FormatError(f"{title!r} cannot be the title of a column")
    _check_twice(titles, FormatError)


def _check_twice(titles: Sequence[str], error: type[FormatError] | type[UsageError]) -> None:
    twice = _twice(titles)
    if twice is not None:
        raise error(f"the table would have the column '{twice}' twice")


def _twice(titles: Sequence[str]) -> str | None:
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
