"""Merge clang's messages from the host and device compilations.

Both sides compile the same source, so most messages appear twice; each is shown once. A message
about a place in Dovetail's headers is moved to the place in the user's code that led there, with a
note for the place in the header. All formats of -fdiagnostics-format are read.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from os import fspath
from typing import NamedTuple

from dovetail.resources import include_directory

# FILE:LINE:COLUMN, FILE(LINE,COLUMN) or FILE +LINE:COLUMN, in which the column may be missing, and
# the ranges of -fdiagnostics-print-source-range-info. -fno-show-source-location leaves none of it.
_PLACE = (
    r"(?P<place>(?P<file>[^\n:|]+?)"
    r"(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\)| \+\d+(?::\d+)?))(?::(?:\{[-:\d]+\})+)?: "
)
_HEAD = rf"(?:{_PLACE})?(?P<kind>fatal error|error|warning): "
_NOTE = rf"{_PLACE}note: "
_INCLUDED = re.compile(r"In file included from |In included file:")
_INCLUDE = r"^In file included from ([^\n]+?):(\d+):$"
_COUNT = r"\d+ (warnings?|errors?)( and \d+ errors?)? generated\.$"

# Precompiled headers are compiled from a text, whose name clang prints with a folder.
_PRECOMPILED = re.compile(r"In file included from [^\n]*/<stdin>:\d+:$")

# Escape sequences, which clang writes with -fcolor-diagnostics.
_COLOR = r"\x1b\[[0-9;]*[mK]"
_PLAIN = "\x1b[0m"

# What clang writes about an unknown name or header.
_UNKNOWN = "named '|undeclared identifier|unknown (?:type|class) name|file not found"

_DEPRECATED_INSTANCE = r"('[\w:~]+)<.*>(?=' is deprecated)"

_SARIF = '{"$schema":'


def join_messages(outputs: Iterable[str]) -> str:
    """Return the messages of several clang runs in order, without duplicates."""
    outputs = list(outputs)
    if any(line.startswith(_SARIF) for output in outputs for line in output.split("\n")):
        # Imported late: rarely used.
        from dovetail.frontend.sarif_messages import join_sarif

        return join_sarif(outputs)
    seen: dict[str, str] = {}
    for block in chain.from_iterable(_blocks_at_users_places(output) for output in outputs):
        seen.setdefault(_identity(block), block)
    return "\n".join(seen.values())


def summary(messages: str) -> str:
    """Return clang's last line, with the numbers of warnings and errors; empty for none."""
    kinds = [head["kind"] for block in _blocks(messages) if (head := _head_of(block))]
    warnings = kinds.count("warning")
    errors = len(kinds) - warnings
    counts = [_counted(number, kind) for number, kind in ((warnings, "warning"), (errors, "error"))]
    return f"{' and '.join(filter(None, counts))} generated." if kinds else ""


def _counted(number: int, kind: str) -> str:
    return f"{number} {kind}{'s' * (number > 1)}" if number else ""


class ErrorHead(NamedTuple):
    """The place and the text of an error from clang."""

    file: str
    line: int
    column: int
    message: str


def error_heads(messages: str) -> list[ErrorHead]:
    """Return the errors among joined messages, without excerpts and notes."""
    heads = map(_head_of, _blocks(messages))
    return [_error(head) for head in heads if head and head["kind"] != "warning" and head["file"]]


def _error(head: re.Match[str]) -> ErrorHead:
    line, column, *_ = *re.findall(r"\d+", head["place"][len(head["file"]) :]), "1"
    return ErrorHead(head["file"], int(line), int(column), head.string[head.end() :])


def _blocks_at_users_places(output: str) -> Iterator[str]:
    """Yield messages, those about Dovetail's headers at the user's place that leads to them."""
    context = ""
    for block in _blocks(output):
        head = _head_of(block)
        if head is None or not head["file"] or not _is_in_our_headers(head["file"]):
            context = ""
            yield _explained(block)
        else:
            # Clang does not repeat the notes of an instantiation in its next message.
            context = _noted_place(block) or context
            yield _at_place(block, head, context or _place_of_include(block))


def _blocks(output: str) -> Iterator[str]:
    """Yield each message with its notes and excerpts."""
    block: list[str] = []
    has_head = False
    for line in output.splitlines():
        plain = _without_color(line)
        if re.match(_COUNT, plain) or _PRECOMPILED.match(plain):
            continue
        starts_message = bool(_head(plain))
        if has_head and (starts_message or _INCLUDED.match(plain)):
            yield _with_colors_ended("\n".join(block))
            block, has_head = [], False
        has_head = has_head or starts_message
        block.append(line)
    if block:
        yield _with_colors_ended("\n".join(block))


def _with_colors_ended(block: str) -> str:
    """Return a block without colors at its end: clang ends those of marks on the next line."""
    colors = re.findall(_COLOR, block)
    return block + _PLAIN if colors and colors[-1] != _PLAIN else block


def _identity(block: str) -> str:
    """Return what equal messages have in common: their first lines, as notes may differ."""
    head = _head_of(block)
    if not head or not head["file"]:
        return block
    # Clang warns of a deprecated function template, and again of its instance.
    return re.sub(_DEPRECATED_INSTANCE, r"\1", head.string)


def _head(line: str) -> re.Match[str] | None:
    return re.match(_HEAD, line)


def _head_of(block: str) -> re.Match[str] | None:
    return next(filter(None, map(_head, map(_without_color, block.split("\n")))), None)


def _without_color(line: str) -> str:
    return re.sub(_COLOR, "", line)


def _explained(block: str) -> str:
    """Return a message about a name or header that Dovetail does not have with a better text."""
    if not re.search(_UNKNOWN, block):
        return block
    # Imported late: few programs have such errors.
    from dovetail.frontend.unavailable import explained

    lines = block.split("\n")
    head = _head_of(block)
    if head is None or head["kind"] == "warning":
        return block
    plain = [_without_color(line) for line in lines]
    start = plain.index(head.string)
    changed = explained(plain[start:], head.string[head.end() :])
    return block if changed == plain[start:] else "\n".join([*lines[:start], *changed])


def _noted_place(block: str) -> str:
    """Return the place of the first note that is not in our headers; empty if there is none."""
    notes = filter(None, (re.match(_NOTE, _without_color(line)) for line in block.split("\n")))
    return next((note["place"] for note in notes if not _is_in_our_headers(note["file"])), "")


def _place_of_include(block: str) -> str:
    """Return the place where a user's file includes our headers, of a block about these."""
    includes = re.findall(_INCLUDE, _without_color(block), re.M)
    users = [(file, line) for file, line in includes if not _is_in_our_headers(file)]
    return f"{users[-1][0]}:{users[-1][1]}:1" if users else ""


def _at_place(block: str, head: re.Match[str], place: str) -> str:
    """Return a message about our headers as one about a place in the user's code."""
    if not place:
        return block
    text = head.string[head.end() :]
    lines = (
        f"{head['place']}: note: in this header" if _without_color(line) == head.string else line
        for line in block.split("\n")
    )
    return "\n".join([f"{place}: {head['kind']}: {text}", *lines])


def _is_in_our_headers(file: str) -> bool:
    return file.startswith(fspath(include_directory()))
