"""Presence conditions of functions in bitcode images; SPIR-V carries them in the code itself.

The set has a table of expressions. It maps each function that is not present on every device, and
each function that is called under a condition, to the number of an expression.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from dovetail.image.typed_set import Codec, SetReader, SetWriter

_EXPRESSIONS = "expressions"
_FUNCTION = "function:"
_CALL = "call:"
_OPERANDS = {0: 1, 166: 2, 167: 2, 168: 1}
"""Number of operands by operation: 0 is a constant, whose operand is its `SpecId`; the others are
SPIR-V's opcodes for or, and, not."""
_TRUE, _FALSE = 0xFFFF_FFFF, 0xFFFF_FFFE
"""Constants in place of an expression's number: -1 and -2 in 32 bits."""
_SIGN = 1 << 32


class ConditionalFunctions(NamedTuple):
    """When functions are present and when they are called, as numbers of expressions."""

    expressions: tuple[tuple[int, ...], ...]
    """Operation and operands of each; operands refer only to preceding expressions."""
    functions: Mapping[str, int]
    """By symbol; functions that are not listed are present on every device."""
    calls: Mapping[str, int]
    """By the symbol of the callee."""


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
    offset = count = 0
    while offset < len(words):
        operation = words[offset]
        end = offset + 1 + _OPERANDS.get(operation, len(words))
        operands = words[offset + 1 : end]
        if end > len(words):
            raise source.error(
                _EXPRESSIONS, f"expression {count} is not an operation with its operands"
            )
        if operation and max(operands) >= count:
            problem = f"expression {count} has an operand that does not precede it"
            raise source.error(_EXPRESSIONS, problem)
        yield operation, *operands
        offset, count = end, count + 1


def _number_of(source: SetReader, key: str, count: int) -> int:
    number = source.number(key)
    if number in (_TRUE, _FALSE):
        return number - _SIGN
    if number is None or number >= count:
        raise source.error(key, f"there is no expression {number}")
    return number


FUNCTIONS = Codec(_encode, _decode)
