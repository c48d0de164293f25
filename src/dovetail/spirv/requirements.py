"""The capabilities and extensions that the instructions of a module require.

Most requirements are in the grammar. This module adds those that only the specification's text has:
for optional scalar and vector types, and for atomic operations on them.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from dovetail.spirv._requirements import INSTRUCTIONS, MASKS, OPERANDS, PARAMETERS, VALUES
from dovetail.spirv.opcodes import (
    DECORATE,
    MEMBER_DECORATE,
    SPEC_CONSTANT_OP,
    TYPE_FLOAT,
    TYPE_INT,
    TYPE_VECTOR,
)
from dovetail.spirv.structure import ModuleStructure


class InstructionRequirements(NamedTuple):
    """The requirements of some instructions."""

    capabilities: tuple[int, ...]
    """One of them is enough."""
    extensions: tuple[str, ...]
    """One of them is enough, or a version of SPIR-V that includes it."""
    numbers: Iterable[int]
    """The instructions."""


_DECORATION_WORDS = {DECORATE: 2, MEMBER_DECORATE: 3}
"""The words with the decoration; its first operand follows."""

_OPERATION_WORD = 3
"""The word of `OpSpecConstantOp` with the opcode."""

# All of these are required if they are declared, although for some one would be enough.
_INT_WIDTHS = {8: (39,), 16: (22,), 64: (11,)}
"""`Int8`, `Int16`, `Int64`."""
_FLOAT_WIDTHS = {16: (8, 9), 64: (10,)}
"""`Float16Buffer` and `Float16`, `Float64`."""
_VECTOR_SIZES = {8: (7,), 16: (7,)}
"""`Vector16`."""
_TYPES: Mapping[int, tuple[int, Mapping[int, tuple[int, ...]]]] = {
    TYPE_INT: (2, _INT_WIDTHS),
    TYPE_FLOAT: (2, _FLOAT_WIDTHS),
    TYPE_VECTOR: (3, _VECTOR_SIZES),
}
"""The words with the sizes of types, and the capabilities of each size."""

_INTEGER_ATOMICS = {(TYPE_INT, 64): (12,)}
"""`Int64Atomics`."""
_FLOAT_ADDITIONS = {(TYPE_FLOAT, 16): (6095,), (TYPE_FLOAT, 32): (6033,), (TYPE_FLOAT, 64): (6034,)}
_FLOAT_EXTREMES = {(TYPE_FLOAT, 16): (5616,), (TYPE_FLOAT, 32): (5612,), (TYPE_FLOAT, 64): (5613,)}
_ATOMIC_STORE = 228
_ATOMIC_STORE_VALUE = 4
_ATOMICS: Mapping[int, Mapping[tuple[int, int], tuple[int, ...]]] = {
    **dict.fromkeys(range(227, 243), _INTEGER_ATOMICS),
    5614: _FLOAT_EXTREMES,
    5615: _FLOAT_EXTREMES,
    6035: _FLOAT_ADDITIONS,
}
"""By opcode and operand type. The grammar lists the capabilities of all types for each opcode."""


def requirements(structure: ModuleStructure) -> Iterator[InstructionRequirements]:
    """Yield all known requirements, grouped by opcode or value."""
    for opcode, numbers in structure.numbers.items():
        if opcode in _ATOMICS:
            yield from _of_atomics(structure, opcode, numbers)
        elif opcode in INSTRUCTIONS:
            yield InstructionRequirements(*INSTRUCTIONS[opcode], numbers)
        if opcode in _TYPES:
            yield from _of_types(structure, opcode, numbers)
        for word, kind in OPERANDS.get(opcode, ()):
            by_value = _by_word(structure, numbers, word)
            yield from _of_values(kind, by_value)
            if opcode in _DECORATION_WORDS and word == _DECORATION_WORDS[opcode]:
                yield from _of_parameters(structure, by_value, word + 1)
    for opcode, numbers in _by_word(
        structure, structure.numbers.get(SPEC_CONSTANT_OP, ()), _OPERATION_WORD
    ).items():
        if opcode in INSTRUCTIONS:
            yield InstructionRequirements(*INSTRUCTIONS[opcode], numbers)


def _by_word(structure: ModuleStructure, numbers: Iterable[int], word: int) -> dict[int, list[int]]:
    """Group instructions by the value of a word; instructions without that word are skipped."""
    words, starts = structure.module.words, structure.module.starts
    found: defaultdict[int, list[int]] = defaultdict(list)
    for number in numbers:
        offset = starts[number]
        if words[offset] >> 16 > word:
            found[words[offset + word]].append(number)
    return found


def _of_values(kind: str, by_value: Mapping[int, list[int]]) -> Iterator[InstructionRequirements]:
    needs = VALUES[kind]
    for value, numbers in by_value.items():
        for each in _bits(value) if kind in MASKS else (value,):
            if each in needs:
                yield InstructionRequirements(*needs[each], numbers)


def _bits(value: int) -> Iterator[int]:
    while value:
        yield value & -value
        value &= value - 1


def _of_parameters(
    structure: ModuleStructure, decorations: Mapping[int, list[int]], word: int
) -> Iterator[InstructionRequirements]:
    for decoration, numbers in decorations.items():
        if decoration in PARAMETERS:
            yield from _of_values(PARAMETERS[decoration], _by_word(structure, numbers, word))


def _of_types(
    structure: ModuleStructure, opcode: int, numbers: Iterable[int]
) -> Iterator[InstructionRequirements]:
    word, sizes = _TYPES[opcode]
    for size, of_size in _by_word(structure, numbers, word).items():
        for capability in sizes.get(size, ()):
            yield InstructionRequirements((capability,), (), of_size)


def _of_atomics(
    structure: ModuleStructure, opcode: int, numbers: Iterable[int]
) -> Iterator[InstructionRequirements]:
    capabilities, extensions = INSTRUCTIONS.get(opcode, ((), ()))
    by_type: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for number in numbers:
        by_type[_operand_type(structure, opcode, number)].append(number)
    for scalar, of_type in by_type.items():
        yield InstructionRequirements(
            _ATOMICS[opcode].get(scalar, capabilities), extensions, of_type
        )


def _operand_type(structure: ModuleStructure, opcode: int, number: int) -> tuple[int, int]:
    """Return the opcode of an atomic operation's operand type, and a scalar's width or 0."""
    module, definitions = structure.module, structure.index.definitions
    offset = module.starts[number]
    if opcode == _ATOMIC_STORE:
        offset = module.starts[definitions[module.operand(offset, _ATOMIC_STORE_VALUE)]]
    offset = module.starts[definitions[module.operand(offset, 1)]]
    scalar = module.opcode(offset)
    return scalar, module.operand(offset, 2) if scalar in (TYPE_INT, TYPE_FLOAT) else 0
