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
Transform a file table: a line of titles, then a row of file names for each
device image.

    [Code|Properties|Symbols]
    a_0.bc|a_0.prop|a_0.sym

The first input is the table. Transformations are applied in the given order;
each -replace and -replace_cell uses the next input. COL is a title or a
position, and positions and ROW start at 0. An input without titles is a list
with columns 0, 1, ... File names in tables are relative to the working
directory. Options can have one dash or two.

examples:
  dovetail table a.table -extract=Code -drop_titles -o a.list
  dovetail table a.table a_spv.list -replace=Code,0 -o spv.table
  dovetail table a.table -extract=Code,Symbols -rename=Code,IR -o ir.table
  dovetail table a.table -copy_single_file=Properties,0 -o first.prop
  dovetail table tables.list -merge=0 -o all.table
"""

_COPY = "copy_single_file"
_USES_INPUT = ("replace", "replace_cell")
_MAX_ROW_DIGITS = 9

_INPUTS_HINT = "the first input is the table; each -replace and -replace_cell uses one more"


class TableStep(NamedTuple):
    """A transformation, as given."""

    name: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        return f"'-{self.name}={','.join(self.values)}'"


def run(args: Sequence[str]) -> int:
    """See `dovetail table --help`."""
    # Inputs can come before, between and after the options.
    options = _parser().parse_intermixed_args(args)
    steps: list[TableStep] = options.steps
    inputs: list[str] = options.inputs
    _check(inputs, steps, drop_titles=options.drop_titles)
    table = _read(inputs[0])
    others = iter(inputs[1:])
    for step in steps:
        try:
            if step.name == _COPY:
                file = cell_of(table, step.values[0], _row(step.values[1]))
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
        # All in one list, to keep their order.
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
    add("replace", 2, "TO,FROM", "replace column TO with column FROM of the next input")
    add("replace_cell", 2, "COL,ROW", "replace a cell with the name of the next input")
    add("merge", 1, "COL", "concatenate all tables that a column names")
    add(_COPY, 2, "COL,ROW", "write the content of the file that a cell names, not a table")
    parser.add_argument(
        "-drop_titles", "--drop_titles", action="store_true", help="write no titles"
    )
    parser.add_argument(
        "-o", dest="output", metavar="OUT", default="-", help="the output file (default: -)"
    )
    return parser


_EXPECTED_VALUES = {
    None: "columns separated by commas",
    1: "one column",
    2: "two values separated by a comma",
}


def _reader(name: str, count: int | None) -> Callable[[str], TableStep]:
    def read(text: str) -> TableStep:
        values = tuple(text.split(","))
        if "" in values or count not in (None, len(values)):
            expected = _EXPECTED_VALUES[count]
            raise UsageError(
                f"'-{name}={text}': expected {expected}",
                hint="'dovetail table --help' describes the usage",
            )
        return TableStep(name, values)

    return read


def _check(inputs: Sequence[str], steps: Sequence[TableStep], *, drop_titles: bool) -> None:
    """Check that every input is used, before any is read."""
    users = [step for step in steps if step.name in _USES_INPUT]
    if len(users) >= len(inputs):
        raise UsageError(f"missing input for {users[len(inputs) - 1]}", hint=_INPUTS_HINT)
    if len(users) < len(inputs) - 1:
        raise UsageError(f"unused input '{inputs[len(users) + 1]}'", hint=_INPUTS_HINT)
    copies = [position for position, step in enumerate(steps) if step.name == _COPY]
    if copies and (copies[0] != len(steps) - 1 or drop_titles):
        raise UsageError(
            f"'-{_COPY}' writes a file, not a table, so it must be the last transformation",
            hint="move it to the end, without -drop_titles",
        )


def _transformed(table: FileTable, step: TableStep, others: Iterator[str]) -> FileTable:
    match step.name:
        case "extract":
            return extract_columns(table, step.values)
        case "rename":
            return rename_column(table, *step.values)
        case "replace":
            return replace_column(table, step.values[0], _read(next(others)), step.values[1])
        case "replace_cell":
            return replace_cell(table, step.values[0], _row(step.values[1]), next(others))
        case _:
            return _merged(column_of(table, step.values[0]))


def _read(path: str) -> FileTable:
    return parse_table(read_table_text(path), path)


def _merged(paths: Iterable[str]) -> FileTable:
    """Concatenate tables; their total size has the limit of one table."""
    tables: list[FileTable] = []
    size = 0
    for path in paths:
        data = read_named(path, "the column to merge", FILE_TABLE)
        size += len(data)
        if size > MAX_SIZE:
            raise UsageError(
                f"the tables to merge have more than {MAX_SIZE} bytes in total",
                hint="merge fewer tables at a time; check that the table does not name itself",
            )
        tables.append(parse_table(data, path))
    return concatenate(tables)


def _row(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= _MAX_ROW_DIGITS):
        raise UsageError(f"expected a row number, got '{text}'", hint="rows are numbered from 0")
    return int(text)
