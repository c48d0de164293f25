"""What SPIR-V's grammar says of instructions, and of what decorations and execution modes need.

Operands of an instruction are spelled with a letter each, and behind it `?` if there may be none or
`*` if there may be any number:

| letter | operand |
|---|---|
| `T`, `R` | the id of the result's type, and of the result |
| `i` | any other id |
| `l` | a number, or a value of an enumeration, of one word |
| `s` | a string |
| `n` | a number of as many words as its type says; all that are left |
| `o` | an opcode; the operands of that instruction follow, less `T` and `R` |
| `p` | a case of a switch: a number as wide as what is switched on, and an id |
| `g` | an id and a number of one word |
| others | a value of an enumeration; `VALUES` has the operands that follow each value |

A value of an enumeration in `MASKS` is a set of bits, and operands follow in the order of bits.
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


class EnumerantNeeds(NamedTuple):
    """What a value of an enumeration needs in a module that has it."""

    name: str
    capabilities: tuple[int, ...]
    """One of them is enough; a capability in turn brings all of these."""
    extensions: tuple[str, ...]
    """One of them is enough, and from `version` on none."""
    version: int
    """As a module's header has versions."""


def spelled(opcode: int) -> str | None:
    """The operands of an instruction; None if the grammar does not know it."""
    entry = INSTRUCTIONS.get(opcode)
    return entry and entry[1]


def name_of(opcode: int) -> str:
    """How the specification calls an instruction; its number, if nobody knows."""
    entry = INSTRUCTIONS.get(opcode)
    return entry[0] if entry else f"opcode {opcode}"


def following(letter: str, value: int) -> str | None:
    """The operands that follow a value of an enumeration; None if the grammar does not know it."""
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


def decoration(number: int) -> EnumerantNeeds | None:
    """What a decoration needs; None if the grammar does not know it."""
    return _needs(DECORATIONS, number)


def execution_mode(number: int) -> EnumerantNeeds | None:
    """What an execution mode needs; None if the grammar does not know it."""
    return _needs(EXECUTION_MODES, number)


def capability(number: int) -> EnumerantNeeds | None:
    """What a capability needs, all of it; None if the grammar does not know it."""
    return _needs(CAPABILITIES, number)


def _needs(table: Table, number: int) -> EnumerantNeeds | None:
    entry = table.get(number)
    return EnumerantNeeds(*entry) if entry else None
