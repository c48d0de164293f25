"""Findings as text in clang's format: message, source line, caret, notes."""

import re
from collections.abc import Mapping

from dovetail.analysis.finding import Finding
from dovetail.analysis.rules import WarningOptions
from dovetail.errors import InputError
from dovetail.facts import Place
from dovetail.files import SOURCE, read_bytes
from dovetail.printable import visible

# Clang's limits: the tab width, the longest line shown, and the lines of an excerpt, which
# determine the width of the gutter.
_TAB_WIDTH = 8
_MAX_LINE_LENGTH = 4096
_EXCERPT_LINES = 16

_LINE_END = re.compile(rb"\r\n|\n|\r")
_BOLD, _GREEN, _PLAIN = "\x1b[1m", "\x1b[0;1;32m", "\x1b[0m"
_RED = "\x1b[0;1;31m"
_COLORS = {
    "fatal error": _RED,
    "error": _RED,
    "warning": "\x1b[0;1;35m",
    "note": "\x1b[0;1;36m",
}
_MESSAGE = re.compile(r"([^|\n]*?: |)(fatal error|error|warning|note): (.*)")
_MARKS = re.compile(r"( +\| )(.*)")


class SourceLines:
    """The lines of source files; each file is read once, and unreadable files have none."""

    def __init__(self, texts: Mapping[str, str] | None = None) -> None:
        """`texts` contains sources that are not files, by their names in places."""
        self._lines = {name: _LINE_END.split(text.encode()) for name, text in (texts or {}).items()}

    def line(self, place: Place) -> bytes | None:
        """Return the line of a place without its end, or None."""
        if place.file not in self._lines:
            self._lines[place.file] = _read_lines(place.file)
        lines = self._lines[place.file]
        return lines[place.line - 1] if 0 < place.line <= len(lines) else None


def message_text(finding: Finding, options: WarningOptions, lines: SourceLines) -> str:
    """Return a finding in clang's format, without a line end; empty if it is suppressed."""
    level = options.level(finding.rule)
    if level is None:
        return ""
    flag = options.flag(finding.rule)
    message = f"{finding.message} [{flag}]" if flag else finding.message
    parts = [_part(finding.place, level, message, lines)]
    parts += [_part(note.place, "note", note.message, lines) for note in finding.notes]
    return "\n".join(parts)


def colored(text: str) -> str:
    """Return messages in clang's form with clang's colors; lines that have some are kept."""
    return "\n".join(map(_colored_line, text.split("\n")))


def _colored_line(line: str) -> str:
    if "\x1b" in line:
        return line
    if message := _MESSAGE.fullmatch(line):
        place, kind, text = message.groups()
        # As in clang, notes are not bold.
        weight = "" if kind == "note" else _BOLD
        where = f"{_BOLD}{place}{_PLAIN}" if place else ""
        return f"{where}{_COLORS[kind]}{kind}: {_PLAIN}{weight}{text}{_PLAIN}"
    marks = _MARKS.fullmatch(line)
    return f"{marks[1]}{_GREEN}{marks[2]}{_PLAIN}" if marks else line


def _part(place: Place, kind: str, message: str, lines: SourceLines) -> str:
    text = f"{visible(str(place))}: {kind}: {visible(message)}"
    return "\n".join([text, *_excerpt(place, lines.line(place))])


def _excerpt(place: Place, line: bytes | None) -> list[str]:
    """Return the source line and the line with the caret."""
    if line is None or len(line) > _MAX_LINE_LENGTH or place.column < 1:
        return []
    line = line.rstrip(b"\0")
    width = 1 + max(4, len(str(place.line + _EXCERPT_LINES)))
    caret = " " * _columns(_shown(line[: place.column - 1])) + "^"
    return [f"{place.line:>{width}} | {_shown(line)}", f"{'':>{width}} | {caret}"]


def _shown(line: bytes) -> str:
    """Return a line as clang prints it: tabs as spaces, unprintable characters as numbers."""
    shown: list[str] = []
    column = 0
    for character in line.decode(errors="surrogateescape"):
        code = ord(character)
        if character == "\t":
            text = " " * (_TAB_WIDTH - column % _TAB_WIDTH)
        elif 0xDC80 <= code <= 0xDCFF:
            text = f"<{code - 0xDC00:02X}>"
        elif character == " " or character.isprintable():
            text = character
        else:
            text = f"<U+{code:04X}>"
        shown.append(text)
        column += _columns(text)
    return "".join(shown)


def _columns(text: str) -> int:
    """Return the width of a text in terminal columns."""
    if text.isascii():
        return len(text)
    # Imported late: most lines are ASCII.
    from unicodedata import combining, east_asian_width

    return sum(
        0 if combining(character) else 2 if east_asian_width(character) in "WF" else 1
        for character in text
    )


def _read_lines(name: str) -> list[bytes]:
    """Return the lines of a file; facts can name any file, and non-sources have none."""
    try:
        return _LINE_END.split(read_bytes(name, SOURCE))
    except InputError:
        return []
