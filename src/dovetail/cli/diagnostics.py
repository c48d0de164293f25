"""Print messages of compilers: colored on a terminal as by clang, and counted."""

import os
import sys

from dovetail.cli.output import color_choice, colors
from dovetail.frontend import summary
from dovetail.printable import visible_lines

# Clang writes no colors on terminals of other kinds.
_COLOR_TERMINALS = ("ansi", "color", "cygwin", "linux", "rxvt", "screen", "tmux", "vt100", "xterm")


def print_diagnostics(messages: str) -> None:
    """Print the messages of a build on standard error, followed by clang's line of counts."""
    print_messages("\n".join(filter(None, [messages, summary(messages)])))


def print_messages(text: str) -> None:
    """Print messages in clang's form on standard error."""
    if not uses_colors():
        print(text, file=sys.stderr)
        return
    # Imported late, as it loads the analysis.
    from dovetail.analysis import colored

    # Clang writes colors only if the user chose them. Others in the text are not passed through.
    text = colored(visible_lines(text, colors=color_choice() is True))
    with colors(sys.stderr):
        print(text, file=sys.stderr)


def uses_colors() -> bool:
    """Whether messages are colored: as the user chose, or else as clang decides."""
    choice = color_choice()
    if choice is not None:
        return choice
    terminal = os.environ.get("TERM", "")
    is_disabled = bool(os.environ.get("NO_COLOR"))
    return sys.stderr.isatty() and terminal.startswith(_COLOR_TERMINALS) and not is_disabled
