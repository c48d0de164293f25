"""Argument parsing for the subcommands that are not compilers: argparse that raises our errors."""

import argparse
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, NoReturn

from dovetail.errors import UsageError, nearest

if TYPE_CHECKING:
    from dovetail.targets import Table


EXIT_STATUS = """\
exit status:
  0: success; 1: error in the input; 2: usage error; 70: internal error"""
"""The end of the help text of commands without exit statuses of their own."""

_WIDTH = 80


def help_rows(rows: Iterable[tuple[str, str]], column: int = 20) -> str:
    """Return names and descriptions in two columns, the first of this width, wrapped."""
    lines: list[str] = []
    for name, description in rows:
        texts = wrap(description, _WIDTH - column - 3, break_on_hyphens=False)
        if len(name) > column or not texts:
            lines.append(f"  {name}")
            name = ""
        for text in texts:
            lines.append(f"  {name:<{column}} {text}")
            name = ""
    return "\n".join(lines)


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Lists options as `-o, --output FILE`, and those with one dash or two only once."""

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings:
            return super()._format_action_invocation(action)
        spellings: dict[str, str] = {}
        for option in action.option_strings:
            spellings.setdefault(option.lstrip("-"), option)
        names = ", ".join(spellings.values())
        if action.nargs == 0:
            return names
        metavar = self._get_default_metavar_for_optional(action)
        return f"{names} {self._format_args(action, metavar)}"


class Parser(argparse.ArgumentParser):
    """An argument parser that raises `UsageError`, with a suggestion for a misspelled option."""

    def __init__(self, command: str, description: str, epilog: str = EXIT_STATUS) -> None:
        super().__init__(
            prog=f"dovetail {command}",
            description=description,
            epilog=epilog,
            formatter_class=_HelpFormatter,
            allow_abbrev=False,
        )

    def print_help(self, file: object = None) -> None:
        """Print the help text; unlike argparse's own method, this raises if it fails."""
        print(self.format_help(), end="", flush=True)

    def error(self, message: str) -> NoReturn:
        """Raise `UsageError`; argparse calls this for every error."""
        unknown = re.match(r"unrecognized arguments: (\S+)", message)
        options = [text for action in self._actions for text in action.option_strings]
        hint = nearest(unknown[1], options) if unknown else ""
        raise UsageError(message, hint=hint or f"'{self.prog} --help' describes the usage")


def add_configuration(parser: Parser) -> None:
    """Add the options for device configuration files, as `configuration`."""
    parser.add_argument(
        "--device-config-file",
        "-device-config-file",
        "-fsycl-device-config-file",
        dest="configuration",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="add or change targets from a YAML file; may be repeated",
    )


def read_configuration(files: Sequence[Path]) -> "Table":
    """Return the default table extended by files; print their warnings to standard error."""
    # Imported late: commands that do not use targets need not load the table.
    from dovetail.targets import default_table

    if not files:
        return default_table()
    from dovetail.targets.user_file import read_user_files

    read = read_user_files(files, default_table())
    for warning in read.warnings:
        print(warning, file=sys.stderr)
    return read.table
