"""When functions of an image are there, where its code is bitcode, which has no place for that.

The set has a table of expressions, and for each function that is not on every device the number of
one; the same for functions that are called under conditions, and when they are called.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from dovetail.image.typed_set import Codec, SetReader, SetWriter

_EXPRESSIONS = "expressions"
_FUNCTION = "function:"
_CALL = "call:"
_OPERANDS = {0: 1, 166: 2, 167: 2, 168: 1}
"""By operation, how many operands it has: 0 is a constant, whose operand is its `SpecId`; others
are the opcodes of SPIR-V for or, and, not."""
_TRUE, _FALSE = 0xFFFF_FFFF, 0xFFFF_FFFE
"""In place of an expression's number: -1 and -2, as 32 bits."""
_SIGN = 1 << 32


class ConditionalFunctions(NamedTuple):
    """When functions are there and when they are called, by the numbers of expressions."""

    expressions: tuple[tuple[int, ...], ...]
    """Operation and operands of each; those that it is made of come before it."""
    functions: Mapping[str, int]
    """By symbol; others are there on every device."""
    calls: Mapping[str, int]
    """By the symbol of what is called under a condition."""


def _encode(into: SetWriter, code: ConditionalFunctions) -> None:
    words = tuple(word for expression in code.expressions for word in expression)
    into.add_array(_EXPRESSIONS, words, "I")
    for prefix, numbers in ((_FUNCTION, code.functions), (_CALL, code.calls)):
        for symbol, number in numbers.items():
            into.add_number(prefix + symbol, number % _SIGN)


def _decode(source: SetReader) -> ConditionalFunctions:
    expressions = tuple(_expressions(source))
    functions, calls = (
        {
            key.removeprefix(prefix): _number_of(source, key, len(expressions))
            for key in source
            if key.startswith(prefix)
        }
        for prefix in (_FUNCTION, _CALL)
    )
    return ConditionalFunctions(expressions, functions, calls)


def _expressions(source: SetReader) -> Iterator[tuple[int, ...]]:
    words = source.array(_EXPRESSIONS, "I")
    at = count = 0
    while at < len(words):
        operation = words[at]
        end = at + 1 + _OPERANDS.get(operation, len(words))
        operands = words[at + 1 : end]
        if end > len(words):
            raise source.error(
                _EXPRESSIONS, f"number {count} is not an operation with its operands"
            )
        if operation and max(operands) >= count:
            raise source.error(_EXPRESSIONS, f"number {count} is made of what does not precede it")
        yield operation, *operands
        at, count = end, count + 1


def _number_of(source: SetReader, key: str, count: int) -> int:
    number = source.number(key)
    if number in (_TRUE, _FALSE):
        return number - _SIGN
    if number is None or number >= count:
        raise source.error(key, f"there is no expression {number}")
    return number


FUNCTIONS = Codec(_encode, _decode)
