"""`dovetail table`: transform file tables, as DPC++'s file-table-tform does."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from dovetail.cli.arguments import Parser
from dovetail.cli.file_tables import parse_table, read_named, read_table_text, write_output
from dovetail.errors import UsageError
from dovetail.files import FILE_TABLE, TABLE_ENTRY
from dovetail.image import (
    FileTable,
    cell_of,
    column_of,
    concatenate,
    extract_columns,
    format_file_table,
    rename_column,
    replace_cell,
    replace_column,
)
from dovetail.image.file_table import MAX_SIZE

_DESCRIPTION = """\
Transform a file table: a line of titles, then a row of file names for each device image.

    [Code|Properties|Symbols]
    a_0.bc|a_0.prop|a_0.sym

The first input is the table. Transformations are done in the order given; each -replace and each
-replace_cell takes the next input. COL is a title, or a position from 0; ROW counts from 0. An
input without titles is a list: its columns are called 0, 1, ... Names in tables count from the
working directory. Options can be written with one dash or two.

examples:
  dovetail table a.table -extract=Code -drop_titles -o a.list
  dovetail table a.table a_spv.list -replace=Code,0 -o spv.table
  dovetail table a.table -extract=Code,Symbols -rename=Code,IR -o ir.table
  dovetail table a.table -copy_single_file=Properties,0 -o first.prop
  dovetail table tables.list -merge=0 -o all.table
"""

_COPY = "copy_single_file"
_TAKES_INPUT = ("replace", "replace_cell")
_ROW_DIGITS = 9


class TableStep(NamedTuple):
    """One transformation, as given."""

    name: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"'-{self.name}={','.join(self.words)}'"


def run(words: Sequence[str]) -> int:
    """See `dovetail table --help`."""
    # Inputs may stand before, between and after the options.
    options = _parser().parse_intermixed_args(words)
    steps: list[TableStep] = options.steps
    inputs: list[str] = options.inputs
    _check(inputs, steps, drop_titles=options.drop_titles)
    table = _read(inputs[0])
    others = iter(inputs[1:])
    for step in steps:
        try:
            if step.name == _COPY:
                file = cell_of(table, step.words[0], _row(step.words[1]))
                write_output(options.output, read_named(file, f"'{inputs[0]}'", TABLE_ENTRY))
                return 0
            table = _transformed(table, step, others)
        except UsageError as error:
            raise UsageError(f"{step}: {error.message}", hint=error.hint) from None
    write_output(options.output, format_file_table(table, titled=not options.drop_titles))
    return 0


def _parser() -> Parser:
    parser = Parser("table", _DESCRIPTION)
    parser.add_argument(
        "inputs", nargs="+", metavar="IN", help="a file table; - for standard input"
    )

    def add(name: str, count: int | None, metavar: str, text: str) -> None:
        # One list for all of them keeps the order in which they are given.
        parser.add_argument(
            f"-{name}",
            f"--{name}",
            dest="steps",
            action="append",
            default=[],
            type=_reader(name, count),
            metavar=metavar,
            help=text,
        )

    add("extract", None, "COL,...", "keep only these columns, in this order")
    add("rename", 2, "OLD,NEW", "give a column another title")
    add("replace", 2, "TO,FROM", "replace column TO by column FROM of the next input")
    add("replace_cell", 2, "COL,ROW", "replace a cell by the name of the next input")
    add("merge", 1, "COL", "join the rows of all tables that a column names")
    add(_COPY, 2, "COL,ROW", "instead of a table, write what is in the file that a cell names")
    parser.add_argument(
        "-drop_titles", "--drop_titles", action="store_true", help="leave out the line of titles"
    )
    parser.add_argument(
        "-o", dest="output", metavar="OUT", default="-", help="where the result goes (default: -)"
    )
    return parser


def _reader(name: str, count: int | None) -> Callable[[str], TableStep]:
    def read(text: str) -> TableStep:
        words = tuple(text.split(","))
        if "" in words or count not in (None, len(words)):
            wanted = "columns" if count is None else ("one column", "two words")[count - 1]
            raise UsageError(
                f"'-{name}={text}': {wanted} must be given, with commas between",
                hint="'dovetail table --help' shows how it is used",
            )
        return TableStep(name, words)

    return read


def _check(inputs: Sequence[str], steps: Sequence[TableStep], *, drop_titles: bool) -> None:
    """That every input is taken, before any is read."""
    takers = [step for step in steps if step.name in _TAKES_INPUT]
    if len(takers) >= len(inputs):
        step = takers[len(inputs) - 1]
        raise UsageError(
            f"{step} has no input to take",
            hint="the first input is the table; -replace and -replace_cell take one more each",
        )
    if len(takers) < len(inputs) - 1:
        raise UsageError(
            f"nothing takes the input '{inputs[len(takers) + 1]}'",
            hint="the first input is the table; -replace and -replace_cell take one more each;"
            " -merge joins the tables that a column names",
        )
    copies = [position for position, step in enumerate(steps) if step.name == _COPY]
    if copies and (copies[0] != len(steps) - 1 or drop_titles):
        raise UsageError(
            f"'-{_COPY}' writes a file and no table, so nothing can follow it",
            hint="give it last, without -drop_titles",
        )


def _transformed(table: FileTable, step: TableStep, others: Iterator[str]) -> FileTable:
    match step.name:
        case "extract":
            return extract_columns(table, step.words)
        case "rename":
            return rename_column(table, *step.words)
        case "replace":
            return replace_column(table, step.words[0], _read(next(others)), step.words[1])
        case "replace_cell":
            return replace_cell(table, step.words[0], _row(step.words[1]), next(others))
        case _:
            return _merged(column_of(table, step.words[0]))


def _read(path: str) -> FileTable:
    return parse_table(read_table_text(path), path)


def _merged(paths: Iterable[str]) -> FileTable:
    """Return the rows of all these tables, which may be as large together as a single one."""
    tables: list[FileTable] = []
    size = 0
    for path in paths:
        data = read_named(path, "the column to merge", FILE_TABLE)
        size += len(data)
        if size > MAX_SIZE:
            raise UsageError(
                f"the tables that the column names have more than {MAX_SIZE} bytes together",
                hint="merge fewer tables at a time; a table that names itself in every row would"
                " be joined to itself as often as it has rows",
            )
        tables.append(parse_table(data, path))
    return concatenate(tables)


def _row(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= _ROW_DIGITS):
        raise UsageError(f"'{text}' is not the number of a row", hint="rows count from 0")
    return int(text)
