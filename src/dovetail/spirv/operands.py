"""Where the operands of an instruction lie."""

from array import array
from collections.abc import Callable, Iterator
from typing import NamedTuple

from dovetail.spirv.grammar import following, name_of, spelled
from dovetail.spirv.module import error, find_string
from dovetail.spirv.opcodes import DECORATE_ID, EXECUTION_MODE_ID

_TAKE_IDS = (DECORATE_ID, EXECUTION_MODE_ID)
"""Instructions that give decorations and execution modes ids; others give them literals."""

_OPEN = "DE"
"""Decorations and execution modes: of those that nobody knows we know what may follow."""

_ONE_WORD = "TRil"
_ANY_NUMBER = "il"


class Run(NamedTuple):
    """Operands of a kind that lie together."""

    kind: str
    """`T`, `R`, `i`, `l`, `s` or `n`, as `dovetail.spirv.grammar` has them."""
    start: int
    end: int


def operands(
    words: "array[int]", at: int, kinds: str, case_words: Callable[[int], int]
) -> Iterator[Run]:
    """The operands of the instruction at a place, which are spelled `kinds`.

    `case_words` gives, for the id that a switch is on, how many words the numbers of its cases
    have.
    """
    opcode, end = words[at] & 0xFFFF, at + (words[at] >> 16)
    place = at + 1
    while kinds:
        kind, quantifier, rest = _first(kinds)
        if place == end:
            if not quantifier:
                raise error(at, f"{name_of(opcode)} has {end - at} words, and needs more")
            kinds = rest
            continue
        kinds = kinds if quantifier == "*" else rest
        start = place
        if kind in _ONE_WORD:
            place = end if quantifier == "*" and kind in _ANY_NUMBER else place + 1
            yield Run(kind, start, place)
        elif kind == "s":
            _, place = find_string(words, place, end)
            yield Run(kind, start, place)
        elif kind == "n":
            place = end
            yield Run(kind, start, place)
        elif kind in "pg":
            first = case_words(words[at + 1]) if kind == "p" else 1
            place += first + 1
            if place > end:
                raise error(start, f"a pair of {name_of(opcode)} is cut off")
            yield from _pair(kind, start, first, place)
        else:
            place += 1
            yield Run("l", start, place)
            kinds = after_value(opcode, kind, words[start], start) + kinds
    if place < end:
        raise error(place, f"{name_of(opcode)} has words that nothing is known of")


def _first(kinds: str) -> tuple[str, str, str]:
    """The first kind, its quantifier or nothing, and what is behind."""
    quantifier = kinds[1] if len(kinds) > 1 and kinds[1] in "?*" else ""
    return kinds[0], quantifier, kinds[1 + len(quantifier) :]


def _pair(kind: str, start: int, first: int, end: int) -> Iterator[Run]:
    """A number and an id, or an id and a number."""
    before, behind = ("l", "i") if kind == "p" else ("i", "l")
    yield Run(before, start, start + first)
    yield Run(behind, start + first, end)


def after_value(opcode: int, kind: str, value: int, at: int) -> str:
    """The operands that follow a value, which may be an opcode."""
    if kind == "o":
        found = spelled(value)
        if found is None or not found.startswith("TR") or "o" in found:
            raise error(at, f"{name_of(value)} does not make a constant")
        return found[2:]
    found = following(kind, value)
    if found is not None:
        return found
    if kind in _OPEN:
        return "i*" if opcode in _TAKE_IDS else "l*"
    raise error(at, f"nothing is known of the value {value:#x}")
