"""Argument parsing for the subcommands that are no compilers: argparse, with our errors."""

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from dovetail.errors import UsageError, nearest

if TYPE_CHECKING:
    from dovetail.targets import Table


class Parser(argparse.ArgumentParser):
    """An argument parser that raises `UsageError`, with the nearest option for a misspelt one."""

    def __init__(self, command: str, description: str) -> None:
        super().__init__(
            prog=f"dovetail {command}",
            description=description,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def print_help(self, file: object = None) -> None:
        """Show the help text; argparse's own way hides it when that fails."""
        print(self.format_help(), end="", flush=True)

    def error(self, message: str) -> NoReturn:
        """Called by argparse for everything it does not like."""
        unknown = re.match(r"unrecognized arguments: (\S+)", message)
        options = [text for action in self._actions for text in action.option_strings]
        hint = nearest(unknown[1], options) if unknown else ""
        raise UsageError(message, hint=hint or f"'{self.prog} --help' shows how it is used")


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


def read_configuration(files: Sequence[Path]) -> "Table":
    """The default table with what user files say; their warnings go to standard error."""
    # Commands that do not ask about targets need not load the table.
    from dovetail.targets import default_table

    if not files:
        return default_table()
    from dovetail.targets.user_file import read_user_files

    read = read_user_files(files, default_table())
    for warning in read.warnings:
        print(warning, file=sys.stderr)
    return read.table
