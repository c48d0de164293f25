"""SPIR-V's grammar: the operands of instructions, and requirements of decorations and modes.

Operands of an instruction are written as one letter each, followed by `?` if the operand is
optional, or `*` for any number of operands:

| letter | operand |
|---|---|
| `T`, `R` | the id of the result's type, and of the result |
| `i` | any other id |
| `l` | a number, or a value of an enumeration, of one word |
| `s` | a string |
| `n` | a number whose type determines its size; always the last operand |
| `o` | an opcode; the operands of that instruction follow, less `T` and `R` |
| `p` | a case of a switch: a number as wide as the selector, and an id |
| `g` | an id and a number of one word |
| others | a value of an enumeration; `VALUES` has the operands that follow each value |

A value of an enumeration in `MASKS` is a set of bits; the operands of bits follow in their order.
"""

from typing import NamedTuple

from dovetail.spirv._grammar import (
    CAPABILITIES,
    DECORATIONS,
    EXECUTION_MODES,
    INSTRUCTIONS,
    MASKS,
    VALUES,
)

Table = dict[int, tuple[str, tuple[int, ...], tuple[str, ...], int]]


class EnumerantRequirements(NamedTuple):
    """What a module must declare to use a value of an enumeration."""

    name: str
    capabilities: tuple[int, ...]
    """One of them is enough. A capability implies all of its own."""
    extensions: tuple[str, ...]
    """One of them is enough; from `version` on, none is needed."""
    version: int
    """In the encoding of a module's header."""


def operand_kinds(opcode: int) -> str | None:
    """Return the operands of an instruction; None if the opcode is unknown."""
    entry = INSTRUCTIONS.get(opcode)
    return entry and entry[1]


def opcode_name(opcode: int) -> str:
    """Return the name of an instruction in the specification, or its number if it is unknown."""
    entry = INSTRUCTIONS.get(opcode)
    return entry[0] if entry else f"opcode {opcode}"


def value_parameters(letter: str, value: int) -> str | None:
    """Return the operands that follow a value of an enumeration; None if the value is unknown."""
    values = VALUES[letter]
    if letter not in MASKS:
        return values.get(value)
    found: list[str] = []
    while value:
        bit = value & -value
        operands = values.get(bit)
        if operands is None:
            return None
        found.append(operands)
        value ^= bit
    return "".join(found)


def decoration(number: int) -> EnumerantRequirements | None:
    """Return the requirements of a decoration; None if it is unknown."""
    return _requirements(DECORATIONS, number)


def execution_mode(number: int) -> EnumerantRequirements | None:
    """Return the requirements of an execution mode; None if it is unknown."""
    return _requirements(EXECUTION_MODES, number)


def capability(number: int) -> EnumerantRequirements | None:
    """Return the requirements of a capability, which are implied; None if it is unknown."""
    return _requirements(CAPABILITIES, number)


def _requirements(table: Table, number: int) -> EnumerantRequirements | None:
    entry = table.get(number)
    return EnumerantRequirements(*entry) if entry else None
