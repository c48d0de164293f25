"""File tables and lists, their transformations, and symbols files."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from dovetail.errors import DovetailError
from dovetail.image import (
    FileTable,
    cell_of,
    column_of,
    concatenate,
    extract_columns,
    format_file_table,
    format_symbols,
    parse_file_table,
    parse_symbols,
    rename_column,
    replace_cell,
    replace_column,
)
from fuzz.edits import edited_items, edited_text
from fuzz.reader import Reader
from fuzz.readers.text_edits import edited_lines

_WORDS = (b"[", b"]", b"|", b"Code", b"Properties", b"0", b"1", b"\xff", b"\r", b"\x85")


def _seeds() -> list[bytes]:
    titles = ("Code", "Properties", "Symbols")
    rows = (("a_0.bc", "a_0.prop", "a_0.sym"), ("a_1.bc", "a_1.prop", "a_1.sym"))
    table = FileTable(titles, rows)
    return [
        format_file_table(table),
        format_file_table(table, titled=False),
        format_file_table(FileTable(("Code",))),
        format_symbols(["_ZTS1k", "f", "g"]),
    ]


_STEPS: tuple[Callable[[FileTable], object], ...] = (
    lambda table: extract_columns(table, ["Code", "0"]),
    lambda table: rename_column(table, "0", "IR"),
    lambda table: replace_column(table, "0", table, "Code"),
    lambda table: replace_cell(table, "Code", 1, "x"),
    lambda table: cell_of(table, "0", 0),
    lambda table: column_of(table, "Symbols"),
    lambda table: concatenate([table, table]),
)


def _read(data: bytes) -> None:
    table = parse_file_table(data, titled=False)
    assert parse_file_table(format_file_table(table)) == table or not table.titles
    for step in _STEPS:
        try:
            step(table)
        except DovetailError:
            continue
    parse_symbols(data)


def _edit(data: bytes, random: Random) -> bytes:
    if random.random() < 0.5:
        return edited_lines(data, random, _WORDS)
    table = parse_file_table(data, titled=False)
    rows = edited_items(table.rows, random, _edited_row)
    return format_file_table(table._replace(rows=tuple(rows)), titled=random.random() < 0.9)


def _edited_row(row: tuple[str, ...], random: Random) -> tuple[str, ...]:
    return tuple(edited_items(row, random, edited_text))


READER = Reader("file tables, lists and symbols files", _seeds, _read, _edit)
