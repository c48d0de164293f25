"""`dovetail aspect-filter`: drop from a file table the images that a target cannot run."""

import sys
from collections.abc import Sequence

from dovetail.aspect_filter import DroppedRow, alternative_requirements, filter_rows
from dovetail.cli.arguments import Parser, add_configuration, read_configuration
from dovetail.cli.file_tables import parse_table, read_named, read_table_text, write_output
from dovetail.errors import FormatError
from dovetail.files import PROPERTIES_FILE
from dovetail.image import (
    PROPERTIES,
    Requirements,
    format_file_table,
    parse_property_sets,
    read_info,
)
from dovetail.targets import Target

_DESCRIPTION = """\
Drop the rows of a file table whose images a target cannot run, because it lacks
an aspect or a sub-group size that the row's properties file requires. Rows with
requirements that are unknown for the target are kept. Each dropped row is
reported on standard error. A table without a column "Properties" is copied
unchanged. File names in the table are relative to the working directory.

examples:
  dovetail aspect-filter a.table --arch intel_gpu_dg1 -o dg1.table
  dovetail aspect-filter a.table --arch my_gpu --device-config-file mine.yaml
"""


def run(args: Sequence[str]) -> int:
    """See `dovetail aspect-filter --help`."""
    options = _parser().parse_args(args)
    path: str = options.input
    content = read_table_text(path)
    table = parse_table(content, path)
    if PROPERTIES not in table.titles:
        # Before the target is looked up, which is not needed then.
        write_output(options.output, content)
        return 0
    target = read_configuration(options.configuration)[options.arch]
    filtered = filter_rows(table, target, lambda file: _load(file, path))
    write_output(options.output, format_file_table(filtered.table))
    if not options.quiet:
        for dropped in filtered.dropped:
            _note(dropped, path, target)
    return 0


def _parser() -> Parser:
    parser = Parser("aspect-filter", _DESCRIPTION)
    parser.add_argument("input", metavar="IN", help="a file table; - for standard input")
    parser.add_argument(
        "--arch",
        "-arch",
        required=True,
        metavar="NAME",
        help="the target; 'dovetail targets' lists them",
    )
    add_configuration(parser)
    parser.add_argument(
        "-o", dest="output", metavar="OUT", default="-", help="the output file (default: -)"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="do not report dropped rows")
    return parser


def _note(dropped: DroppedRow, path: str, target: Target) -> None:
    print(
        f"{path}: note: row {dropped.row} ({dropped.cells[0]}) is dropped:"
        f" {target.name} lacks {', '.join(dropped.missing)}",
        file=sys.stderr,
    )


def _load(file: str, table: str) -> tuple[Requirements, ...]:
    """Return the alternative requirements of a row's image; without a properties file, none."""
    if not file:
        return (Requirements(),)
    text = read_named(file, f"'{table}'", PROPERTIES_FILE)
    try:
        return alternative_requirements(read_info(parse_property_sets(text)))
    except FormatError as error:
        raise FormatError(
            f"'{file}', named by '{table}', is not a valid properties file: {error.message}"
        ) from None
