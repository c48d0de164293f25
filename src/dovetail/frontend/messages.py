"""Merge clang's messages from the host and device compilations.

Both sides compile the same source, so most messages appear twice; each is shown once. A message
about a place in Dovetail's headers is moved to the place in the user's code that led there, with a
note for the place in the header.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from os import fspath
from typing import NamedTuple

from dovetail.resources import include_directory

_HEAD = r"(?P<place>(?P<file>[^\n:]+):\d+:\d+): (?P<kind>fatal error|error|warning): "
_NOTE = r"(?P<place>(?P<file>[^\n:]+):\d+:\d+): note: "
_INCLUDED = "In file included from "
_COUNT = r"\d+ (warnings?|errors?)( and \d+ errors?)? generated\.$"


# Escape sequences, which clang writes with -fcolor-diagnostics.
_COLOUR = r"\x1b\[[0-9;]*[mK]"


def join_messages(outputs: Iterable[str]) -> str:
    """Return the messages of several clang runs in order, without duplicates."""
    seen: dict[str, str] = {}
    for block in chain.from_iterable(map(_blocks, outputs)):
        # Only first lines are compared: notes may differ between the sides.
        seen.setdefault(_head_line(block) or block, block)
    return "\n".join(map(_at_users_place, seen.values()))


class ErrorHead(NamedTuple):
    """The place and the text of an error from clang."""

    file: str
    line: int
    column: int
    message: str


def error_heads(messages: str) -> list[ErrorHead]:
    """Return the errors among joined messages, without excerpts and notes."""
    heads = [next(filter(None, map(_head, b.split("\n"))), None) for b in _blocks(messages)]
    return [_error(head) for head in heads if head and head["kind"] != "warning"]


def _error(head: re.Match[str]) -> ErrorHead:
    file, line, column = head["place"].rsplit(":", 2)
    return ErrorHead(file, int(line), int(column), head.string[head.end() :])


def _blocks(output: str) -> Iterator[str]:
    """Yield each message with its notes and excerpts."""
    block: list[str] = []
    has_head = False
    for line in output.splitlines():
        plain = _without_colour(line)
        if re.match(_COUNT, plain):
            continue
        starts_message = bool(_head(plain))
        if has_head and (starts_message or plain.startswith(_INCLUDED)):
            yield "\n".join(block)
            block, has_head = [], False
        has_head = has_head or starts_message
        block.append(line)
    if block:
        yield "\n".join(block)


def _head(line: str) -> re.Match[str] | None:
    return re.match(_HEAD, line)


def _head_line(block: str) -> str:
    return next(filter(_head, map(_without_colour, block.split("\n"))), "")


def _without_colour(line: str) -> str:
    return re.sub(_COLOUR, "", line)


def _at_users_place(block: str) -> str:
    lines = _without_colour(block).split("\n")
    head = _head(_head_line(block))
    if head is None or not _is_in_our_headers(head["file"]):
        return block
    notes = [match for line in lines if (match := re.match(_NOTE, line))]
    users = next((note["place"] for note in notes if not _is_in_our_headers(note["file"])), None)
    if users is None:
        return block
    text = head.string[head.end() :]
    return "\n".join(
        [
            f"{users}: {head['kind']}: {text}",
            *(
                f"{head['place']}: note: in this header" if plain == head.string else line
                for plain, line in zip(lines, block.split("\n"), strict=True)
            ),
        ]
    )


def _is_in_our_headers(file: str) -> bool:
    return file.startswith(fspath(include_directory()))
