"""Crashes of clang, reported as its errors are.

Clang prints a stack dump: what it was doing, innermost last, with places in the source; then the
frames of its own code. The first is of use to whoever wrote the source, the second is not.
"""

import re
import shlex
from collections.abc import Sequence
from typing import NamedTuple

from dovetail.errors import CompileError

_DUMP = re.compile(r"^(?:PLEASE submit a bug report|Stack dump:)", re.MULTILINE)
_BACKEND = re.compile(r"^fatal error: error in backend: (.*)$", re.MULTILINE)
_DOING = re.compile(r"^[1-9][0-9]*\.\t(?:(?P<place>[^\n]+?:\d+:\d+): )?(?P<what>.*)$", re.MULTILINE)
_LEFT = re.compile(
    r"^\S+: note: diagnostic msg: ([^\s*]\S*\.(?:cpp|ii|sh|c|cc|cxx))$", re.MULTILINE
)
_TOKEN = re.compile(r"current parser token|at annotation token|parser at end of file")
_PLUGIN_FRAME = re.compile(r"^ *#\d+ 0x[0-9a-f]+ .*(?:dovetail::|_plugin\.so)", re.MULTILINE)


class ClangCrashed(CompileError):
    """Clang ended without a result and without an error in the source."""


class _Doing(NamedTuple):
    """Something that clang was in the middle of."""

    place: str
    """File, line and column; empty if there is none."""
    what: str


def stack_overflow(command: Sequence[str], messages: str) -> ClangCrashed:
    """Return the error that tells of a clang that had no stack left for a stack dump."""
    crash = (
        f"{_source_of(command)}: error: clang crashed{_side_of(command)} without saying where;"
        " deeply nested code makes its stack overflow: take the code apart"
    )
    return ClangCrashed(
        "\n".join(filter(None, (messages, crash))),
        hint=f"the command was: {shlex.join(command)}",
    )


def crash_in(command: Sequence[str], messages: str) -> ClangCrashed | None:
    """Return the error that tells of a crash, or None if the messages are not of one."""
    dump = _DUMP.search(messages)
    if not dump:
        return None
    before, after = messages[: dump.start()], messages[dump.start() :]
    doing = [_Doing(match["place"] or "", match["what"]) for match in _DOING.finditer(after)]
    place = next((each.place for each in doing if each.place), _source_of(command))
    backend = _BACKEND.search(before)
    reason = f": {backend[1]}" if backend else ""
    lines = [
        _BACKEND.sub("", before).rstrip(),
        f"{place}: error: clang crashed here{_side_of(command)}{reason};"
        " other code in this place may avoid that",
        *(f"{each.place}: note: {each.what}" for each in doing if each.place and _helps(each)),
        *(f"{place}: note: for a report, clang left '{name}'" for name in _LEFT.findall(after)),
    ]
    whose = "Dovetail's plugin for clang" if _PLUGIN_FRAME.search(after) else "clang"
    return ClangCrashed(
        "\n".join(filter(None, lines)),
        hint=f"this is a fault of {whose}, not of the source; to report it, give the source and"
        f" the command: {shlex.join(command)}",
    )


def _helps(doing: _Doing) -> bool:
    """Whether it says more than the place."""
    return not _TOKEN.match(doing.what)


def _side_of(command: Sequence[str]) -> str:
    """Return for which side of a program a command compiles, in words."""
    for side in ("device", "host"):
        if f"-fsycl-{side}-only" in command:
            return f", compiling for the {side}"
    return ""


def _source_of(command: Sequence[str]) -> str:
    """Return the name of the source in a command line."""
    words = list(command)
    at = words.index("-x") + 2 if "-x" in words else len(words)
    return words[at] if at < len(words) and words[at] != "-" else "<stdin>"
