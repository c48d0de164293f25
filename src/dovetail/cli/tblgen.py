"""`dovetail tblgen`: generate tables in C++ or Python from a TableGen file."""

from collections.abc import Sequence
from pathlib import Path

from dovetail.cli.arguments import Parser
from dovetail.errors import UsageError, nearest
from dovetail.files import write_atomically
from dovetail.tablegen import DynamicTable, cpp_tables, dynamic_tables, python_tables, read_records


def run(args: Sequence[str]) -> int:
    """See `dovetail tblgen --help`."""
    parser = Parser(
        "tblgen",
        "Generate a C++ or Python table for each DynamicTable of a TableGen file.\n\n"
        "examples:\n"
        "  dovetail tblgen -gen-dynamic-tables -I include devices.td -o devices.inc\n"
        "  dovetail tblgen -gen-python-tables devices.td",
    )
    parser.add_argument("input", type=Path, metavar="input.td", help="the TableGen file")
    back_end = parser.add_mutually_exclusive_group(required=True)
    back_end.add_argument(
        "-gen-dynamic-tables",
        "--gen-dynamic-tables",
        dest="back_end",
        action="store_const",
        const=cpp_tables,
        help="generate C++: a std::map for each table, guarded by GET_<name>_IMPL",
    )
    back_end.add_argument(
        "-gen-python-tables",
        "--gen-python-tables",
        dest="back_end",
        action="store_const",
        const=python_tables,
        help="generate Python: a dictionary for each table",
    )
    parser.add_argument(
        "-I",
        dest="folders",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="search DIR for included files; llvm/TableGen/DynamicTable.td is always found",
    )
    parser.add_argument(
        "-tables",
        "--tables",
        type=lambda text: text.split(","),
        metavar="NAME,...",
        help="generate only these tables",
    )
    parser.add_argument(
        "-o", dest="output", metavar="FILE", default="-", help="the output file (default: -)"
    )
    options = parser.parse_args(args)
    source: Path = options.input
    tables = dynamic_tables(read_records(source, options.folders))
    if options.tables:
        tables = _chosen(tables, options.tables)
    text: str = options.back_end(tables, source.name)
    if options.output == "-":
        print(text, end="")
    else:
        write_atomically(Path(options.output), text.encode())
    return 0


def _chosen(tables: Sequence[DynamicTable], names: Sequence[str]) -> list[DynamicTable]:
    by_name = {table.name: table for table in tables}
    for name in names:
        if name not in by_name:
            hint = nearest(name, by_name) or f"tables: {', '.join(by_name)}"
            raise UsageError(f"unknown table '{name}'", hint=hint)
    return [by_name[name] for name in names]
