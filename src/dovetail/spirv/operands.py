"""Splits instructions into operands."""

from array import array
from collections.abc import Callable, Iterator
from typing import NamedTuple

from dovetail.spirv.grammar import opcode_name, operand_kinds, value_parameters
from dovetail.spirv.module import error, find_string
from dovetail.spirv.opcodes import DECORATE_ID, EXECUTION_MODE_ID

_TAKE_IDS = (DECORATE_ID, EXECUTION_MODE_ID)
"""Instructions whose decorations and execution modes have ids as operands, not literals."""

_OPEN = "DE"
"""Enumerations of which unknown values are accepted: decorations and execution modes."""

_ONE_WORD = "TRil"
_ANY_NUMBER = "il"


class OperandRange(NamedTuple):
    """Adjacent operands of the same kind, as a range of word offsets."""

    kind: str
    """`T`, `R`, `i`, `l`, `s` or `n`; see `dovetail.spirv.grammar`."""
    start: int
    end: int


def operands(
    words: "array[int]", offset: int, kinds: str, case_words: Callable[[int], int]
) -> Iterator[OperandRange]:
    """Yield the operands of the instruction at a word offset, whose kinds are `kinds`.

    `case_words` returns the number of words of a switch's literals, given the selector's id.
    """
    opcode, end = words[offset] & 0xFFFF, offset + (words[offset] >> 16)
    place = offset + 1
    while kinds:
        kind, quantifier, rest = _first(kinds)
        if place == end:
            if not quantifier:
                raise error(
                    offset, f"expected more than {end - offset} words in {opcode_name(opcode)}"
                )
            kinds = rest
            continue
        kinds = kinds if quantifier == "*" else rest
        start = place
        if kind in _ONE_WORD:
            place = end if quantifier == "*" and kind in _ANY_NUMBER else place + 1
            yield OperandRange(kind, start, place)
        elif kind == "s":
            _, place = find_string(words, place, end)
            yield OperandRange(kind, start, place)
        elif kind == "n":
            place = end
            yield OperandRange(kind, start, place)
        elif kind in "pg":
            first = case_words(words[offset + 1]) if kind == "p" else 1
            place += first + 1
            if place > end:
                raise error(start, f"a pair of operands of {opcode_name(opcode)} is incomplete")
            yield from _pair(kind, start, first, place)
        else:
            place += 1
            yield OperandRange("l", start, place)
            kinds = after_value(opcode, kind, words[start], start) + kinds
    if place < end:
        raise error(
            place, f"expected {place - offset} words in {opcode_name(opcode)}, got {end - offset}"
        )


def _first(kinds: str) -> tuple[str, str, str]:
    """Return the first kind, its quantifier or "", and the rest."""
    quantifier = kinds[1] if len(kinds) > 1 and kinds[1] in "?*" else ""
    return kinds[0], quantifier, kinds[1 + len(quantifier) :]


def _pair(kind: str, start: int, first: int, end: int) -> Iterator[OperandRange]:
    """Yield a number and an id, or an id and a number."""
    before, after = ("l", "i") if kind == "p" else ("i", "l")
    yield OperandRange(before, start, start + first)
    yield OperandRange(after, start + first, end)


def after_value(opcode: int, kind: str, value: int, offset: int) -> str:
    """Return the kinds of the operands that follow a value, which may be an opcode."""
    if kind == "o":
        found = operand_kinds(value)
        if found is None or not found.startswith("TR") or "o" in found:
            raise error(offset, f"{opcode_name(value)} is not allowed in a constant expression")
        return found[2:]
    found = value_parameters(kind, value)
    if found is not None:
        return found
    if kind in _OPEN:
        return "i*" if opcode in _TAKE_IDS else "l*"
    raise error(offset, f"unknown value {value:#x}")
