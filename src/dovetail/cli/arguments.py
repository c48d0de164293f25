"""Argument parsing for the subcommands that are no compilers: argparse, with our errors."""

import argparse
import re
from typing import NoReturn

from dovetail.errors import UsageError, nearest


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
