"""Condition expressions as sequences of integers: reading, writing, walking over them.

A condition is its integers, operators before operands, checked once as it is read. Nothing walks it
by recursion and no tree is built, so however deep it is nested, it is read in one pass.

The numbers are an ABI: they stand in compiled programs.
"""

from array import array
from collections.abc import Callable, Sequence
from sys import byteorder
from typing import NewType, TypeVar

from dovetail.errors import FormatError

ASPECT = -1
"""Next is the number of an aspect: true where the device has it."""
ARCHITECTURE = -2
"""Next is the number of an architecture: true where it is the device's."""
NOT = -3
AND = -4
OR = -5

LONGEST = 1 << 16
"""Integers. Far more than a source can say; less than what would keep a reader busy for long."""

Condition = NewType("Condition", tuple[int, ...])
"""Integers that are known to be one whole expression."""

T = TypeVar("T")

_GREATEST = (1 << 31) - 1


def read_condition(ints: Sequence[int]) -> Condition:
    """The expression that these integers are, all of them; `FormatError` if they are none."""
    if len(ints) > LONGEST:
        raise _malformed(LONGEST, f"has {len(ints)} integers, more than {LONGEST}")
    position, wanted = 0, 1
    while wanted:
        if position >= len(ints):
            raise _malformed(position, "ends where an expression has to follow")
        node = ints[position]
        if node in (ASPECT, ARCHITECTURE):
            _check_number(ints, position + 1, node)
            position += 1
            wanted -= 1
        elif node in (AND, OR):
            wanted += 1
        elif node != NOT:
            raise _malformed(position, f"has {node}, which begins no expression")
        position += 1
    if position < len(ints):
        raise _malformed(position, f"goes on behind its end, with {ints[position]}")
    return Condition(tuple(ints))


def _check_number(ints: Sequence[int], position: int, node: int) -> None:
    what = "an aspect" if node == ASPECT else "an architecture"
    if position >= len(ints):
        raise _malformed(position, f"ends where the number of {what} has to follow")
    if not 0 <= ints[position] <= _GREATEST:
        raise _malformed(position, f"has {ints[position]} for the number of {what}")


def _malformed(position: int, what: str) -> FormatError:
    return FormatError(f"malformed condition: integer {position}: it {what}")


def condition_from_bytes(data: bytes) -> Condition:
    """Read integers of 32 bits, little-endian, as property sets hold them."""
    if len(data) % 4:
        raise FormatError(
            f"malformed condition: byte {len(data)}: it ends within an integer of four bytes"
        )
    ints = array("i", data)
    if byteorder != "little":
        ints.byteswap()
    return read_condition(ints)


def condition_to_bytes(condition: Condition) -> bytes:
    """Integers of 32 bits, little-endian, as property sets hold them."""
    ints = array("i", condition)
    if byteorder != "little":
        ints.byteswap()
    return ints.tobytes()


def end_of_expression(condition: Condition, start: int) -> int:
    """The position behind the expression that begins at `start`."""
    position, wanted = start, 1
    while wanted:
        node = condition[position]
        if node in (ASPECT, ARCHITECTURE):
            position += 1
            wanted -= 1
        elif node != NOT:
            wanted += 1
        position += 1
    return position


def fold(
    condition: Condition,
    leaf: Callable[[int, int], T],
    negation: Callable[[T], T],
    conjunction: Callable[[T, T], T],
    disjunction: Callable[[T, T], T],
) -> T:
    """What a condition comes to, from what its parts come to; `leaf` is given kind and number.

    Read from its end, a condition is a program for a stack: operands come before their operators.
    """
    stack: list[T] = []
    number = 0
    for each in reversed(condition):
        if each >= 0:
            number = each
        elif each == NOT:
            stack.append(negation(stack.pop()))
        elif each == AND:
            stack.append(conjunction(stack.pop(), stack.pop()))
        elif each == OR:
            stack.append(disjunction(stack.pop(), stack.pop()))
        else:
            stack.append(leaf(each, number))
    return stack.pop()
