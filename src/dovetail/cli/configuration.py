"""The option for device configuration files, which every command that asks about targets takes."""

import sys
from collections.abc import Sequence
from pathlib import Path

from dovetail.cli.arguments import Parser
from dovetail.targets import Table, default_table


def add_configuration(parser: Parser) -> None:
    """Let a parser take files; they end up in its `configuration`."""
    parser.add_argument(
        "--device-config-file",
        "-device-config-file",
        "-fsycl-device-config-file",
        dest="configuration",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="a device configuration file that adds or changes targets",
    )


def read_configuration(files: Sequence[Path]) -> Table:
    """The default table with what user files say; their warnings go to standard error."""
    if not files:
        return default_table()
    from dovetail.targets.user_file import read_user_files

    read = read_user_files(files, default_table())
    for warning in read.warnings:
        print(warning, file=sys.stderr)
    return read.table
