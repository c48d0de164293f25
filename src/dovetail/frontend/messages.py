"""Clang's messages from both sides of a program, made into one list.

Host and device see the same source, so most messages come twice; each is shown once. A message
about a place inside our headers is given for the user's own place that led there, with a note that
has the place in the header.
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


# What clang puts around words if it is told to use colours.
_COLOUR = r"\x1b\[[0-9;]*[mK]"


def join_messages(outputs: Iterable[str]) -> str:
    """All messages of several clang runs, each once, in the order in which they come."""
    seen: dict[str, str] = {}
    for block in chain.from_iterable(map(_blocks, outputs)):
        # Notes may differ, as the sides reach the same place on different ways.
        seen.setdefault(_head_line(block) or block, block)
    return "\n".join(map(_with_users_place, seen.values()))


class ErrorHead(NamedTuple):
    """What an error of clang's says, and where."""

    file: str
    line: int
    column: int
    message: str


def error_heads(messages: str) -> list[ErrorHead]:
    """The errors among joined messages, without excerpts and notes."""
    heads = [next(filter(None, map(_head, b.split("\n"))), None) for b in _blocks(messages)]
    return [_error(head) for head in heads if head and head["kind"] != "warning"]


def _error(head: re.Match[str]) -> ErrorHead:
    file, line, column = head["place"].rsplit(":", 2)
    return ErrorHead(file, int(line), int(column), head.string[head.end() :])


def _blocks(output: str) -> Iterator[str]:
    """Each message with its notes and excerpts."""
    block: list[str] = []
    has_head = False
    for line in output.splitlines():
        plain = _plain(line)
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
    return next(filter(_head, map(_plain, block.split("\n"))), "")


def _plain(line: str) -> str:
    return re.sub(_COLOUR, "", line)


def _with_users_place(block: str) -> str:
    lines = _plain(block).split("\n")
    head = _head(_head_line(block))
    if head is None or not _is_ours(head["file"]):
        return block
    notes = [match for line in lines if (match := re.match(_NOTE, line))]
    users = next((note["place"] for note in notes if not _is_ours(note["file"])), None)
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


def _is_ours(file: str) -> bool:
    return file.startswith(fspath(include_directory()))
