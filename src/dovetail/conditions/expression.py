"""Condition expressions as integers in prefix notation: validation, encoding, folding.

A condition is validated once, when it is read. No tree is built and nothing recurses, so one pass
reads it however deep it is nested.

The integers are an ABI: compiled programs contain them.
"""

from array import array
from collections.abc import Callable, Sequence
from sys import byteorder
from typing import NewType, TypeVar

from dovetail.errors import FormatError

ASPECT = -1
"""The number of an aspect follows: true if the device has it."""
ARCHITECTURE = -2
"""The number of an architecture follows: true if it is the device's."""
NOT = -3
AND = -4
OR = -5

MAX_INTEGERS = 1 << 16
"""Integers in a condition: far more than a source needs, few enough to be read quickly."""

Condition = NewType("Condition", tuple[int, ...])
"""Integers that have been validated as one expression."""

T = TypeVar("T")

_MAX_NUMBER = (1 << 31) - 1


def read_condition(ints: Sequence[int]) -> Condition:
    """Validate integers as one expression; raise `FormatError` if they are not."""
    if len(ints) > MAX_INTEGERS:
        raise FormatError(
            f"malformed condition: expected at most {MAX_INTEGERS} integers, got {len(ints)}"
        )
    position, missing = 0, 1
    while missing:
        if position >= len(ints):
            raise _unexpected(ints, position, "an expression")
        node = ints[position]
        if node in (ASPECT, ARCHITECTURE):
            _check_number(ints, position + 1, node)
            position += 1
            missing -= 1
        elif node in (AND, OR):
            missing += 1
        elif node != NOT:
            raise _unexpected(ints, position, "an expression")
        position += 1
    if position < len(ints):
        raise _unexpected(ints, position, "the end")
    return Condition(tuple(ints))


def _check_number(ints: Sequence[int], position: int, node: int) -> None:
    if position >= len(ints) or not 0 <= ints[position] <= _MAX_NUMBER:
        what = "an aspect" if node == ASPECT else "an architecture"
        raise _unexpected(ints, position, f"the number of {what}")


def _unexpected(ints: Sequence[int], position: int, expected: str) -> FormatError:
    found = ints[position] if position < len(ints) else "the end"
    return FormatError(f"malformed condition: integer {position}: expected {expected}, got {found}")


def condition_from_bytes(data: bytes) -> Condition:
    """Read 32-bit little-endian integers, as property sets store them."""
    if len(data) % 4:
        raise FormatError(
            f"malformed condition: expected integers of 4 bytes, got {len(data)} bytes"
        )
    ints = array("i", data)
    if byteorder != "little":
        ints.byteswap()
    return read_condition(ints)


def condition_to_bytes(condition: Condition) -> bytes:
    """Return a condition as 32-bit little-endian integers, as property sets store them."""
    ints = array("i", condition)
    if byteorder != "little":
        ints.byteswap()
    return ints.tobytes()


def end_of_expression(condition: Condition, start: int) -> int:
    """Return the position after the expression that begins at `start`."""
    position, missing = start, 1
    while missing:
        node = condition[position]
        if node in (ASPECT, ARCHITECTURE):
            position += 1
            missing -= 1
        elif node != NOT:
            missing += 1
        position += 1
    return position


def fold(
    condition: Condition,
    leaf: Callable[[int, int], T],
    negation: Callable[[T], T],
    conjunction: Callable[[T, T], T],
    disjunction: Callable[[T, T], T],
) -> T:
    """Return the value of a condition, computed bottom-up; `leaf` receives kind and number.

    Read from its end, a condition is a program for a stack machine: operands before operators.
    """
    stack: list[T] = []
    number = 0
    for node in reversed(condition):
        if node >= 0:
            number = node
        elif node == NOT:
            stack.append(negation(stack.pop()))
        elif node == AND:
            stack.append(conjunction(stack.pop(), stack.pop()))
        elif node == OR:
            stack.append(disjunction(stack.pop(), stack.pop()))
        else:
            stack.append(leaf(node, number))
    return stack.pop()
