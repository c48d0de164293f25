"""Crashes of clang, reported in the form of its errors.

Clang prints a stack dump: first its activities, innermost last, with source locations; then its own
stack frames. Only the first part is reported, since it tells the user where in the source the crash
occurred.
"""

import re
import shlex
from collections.abc import Sequence
from typing import NamedTuple

from dovetail.errors import CompileError

_DUMP = re.compile(r"^(?:PLEASE submit a bug report|Stack dump:)", re.MULTILINE)
_BACKEND = re.compile(r"^fatal error: error in backend: (.*)$", re.MULTILINE)
_STACK_ENTRY = re.compile(
    r"^[1-9][0-9]*\.\t(?:(?P<place>[^\n]+?:\d+:\d+): )?(?P<what>.*)$", re.MULTILINE
)
_REPRODUCER = re.compile(
    r"^\S+: note: diagnostic msg: ([^\s*]\S*\.(?:cpp|ii|sh|c|cc|cxx))$", re.MULTILINE
)
_TOKEN = re.compile(r"current parser token|at annotation token|parser at end of file")
_PLUGIN_FRAME = re.compile(r"^ *#\d+ 0x[0-9a-f]+ .*(?:dovetail::|_plugin\.so)", re.MULTILINE)


class ClangCrashed(CompileError):
    """Clang crashed."""


class _StackEntry(NamedTuple):
    """An activity of clang in a stack dump."""

    place: str
    """File, line and column; empty if unknown."""
    what: str


def stack_overflow(command: Sequence[str], messages: str) -> ClangCrashed:
    """Return the error for a stack overflow, which leaves clang no stack to print a dump."""
    crash = (
        f"{_source_of(command)}: error: clang crashed{_side_of(command)} at an unknown place,"
        " probably by a stack overflow; split up deeply nested code"
    )
    return ClangCrashed(
        "\n".join(filter(None, (messages, crash))),
        hint=f"the command was: {shlex.join(command)}",
    )


def parse_crash(command: Sequence[str], messages: str) -> ClangCrashed | None:
    """Return the error for a crash, or None if the messages do not contain a stack dump."""
    dump = _DUMP.search(messages)
    if not dump:
        return None
    before, after = messages[: dump.start()], messages[dump.start() :]
    stack = [
        _StackEntry(match["place"] or "", match["what"]) for match in _STACK_ENTRY.finditer(after)
    ]
    place = next((each.place for each in stack if each.place), _source_of(command))
    backend = _BACKEND.search(before)
    reason = f": {backend[1]}" if backend else ""
    lines = [
        _BACKEND.sub("", before).rstrip(),
        f"{place}: error: clang crashed here{_side_of(command)}{reason};"
        " rewriting this code may avoid the crash",
        *(
            f"{each.place}: note: {each.what}"
            for each in stack
            if each.place and _is_informative(each)
        ),
        *(
            f"{place}: note: clang wrote '{name}' for a bug report"
            for name in _REPRODUCER.findall(after)
        ),
    ]
    whose = "Dovetail's plugin for clang" if _PLUGIN_FRAME.search(after) else "clang"
    return ClangCrashed(
        "\n".join(filter(None, lines)),
        hint=f"this is a bug in {whose}, not in the source; to report it, attach the source and"
        f" the command: {shlex.join(command)}",
    )


def _is_informative(entry: _StackEntry) -> bool:
    """Return whether an entry contains more than its place."""
    return not _TOKEN.match(entry.what)


def _side_of(command: Sequence[str]) -> str:
    """Return the side that a command compiles for, as a phrase."""
    for side in ("device", "host"):
        if f"-fsycl-{side}-only" in command:
            return f", compiling for the {side}"
    return ""


def _source_of(command: Sequence[str]) -> str:
    """Return the name of the source in a command line."""
    words = list(command)
    index = words.index("-x") + 2 if "-x" in words else len(words)
    return words[index] if index < len(words) and words[index] != "-" else "<stdin>"
