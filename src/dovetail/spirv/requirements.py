"""What the instructions of a module need: capabilities and extensions.

The grammar tells most of it. What it leaves to the specification's text is told here for scalars
and vectors that not every device has, and for atomic operations on them.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from dovetail.spirv._needs import INSTRUCTIONS, MASKS, OPERANDS, PARAMETERS, VALUES
from dovetail.spirv.opcodes import (
    DECORATE,
    MEMBER_DECORATE,
    SPEC_CONSTANT_OP,
    TYPE_FLOAT,
    TYPE_INT,
    TYPE_VECTOR,
)
from dovetail.spirv.survey import Survey


class Required(NamedTuple):
    """What some instructions need."""

    capabilities: tuple[int, ...]
    """One of them is enough."""
    extensions: tuple[str, ...]
    """One of them is enough, or a version of SPIR-V that has the same."""
    numbers: Iterable[int]
    """The instructions."""


_DECORATED_WITH = {DECORATE: 2, MEMBER_DECORATE: 3}
"""The words with the decoration; its first operand follows."""

_OPERATION = 3
"""The word of `OpSpecConstantOp` with the opcode."""

# Each is needed, where it is declared: of some, one would do.
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
"""The words with the sizes of types, and what these need."""

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
"""By opcode and type of what they work on. The grammar has all types' capabilities for each."""


def requirements(survey: Survey) -> Iterator[Required]:
    """Everything that is known to be needed, a kind of instruction or a value at a time."""
    for opcode, numbers in survey.numbers.items():
        if opcode in _ATOMICS:
            yield from _of_atomics(survey, opcode, numbers)
        elif opcode in INSTRUCTIONS:
            yield Required(*INSTRUCTIONS[opcode], numbers)
        if opcode in _TYPES:
            yield from _of_types(survey, opcode, numbers)
        for word, kind in OPERANDS.get(opcode, ()):
            by_value = _by_word(survey, numbers, word)
            yield from _of_values(kind, by_value)
            if opcode in _DECORATED_WITH and word == _DECORATED_WITH[opcode]:
                yield from _of_parameters(survey, by_value, word + 1)
    for opcode, numbers in _by_word(
        survey, survey.numbers.get(SPEC_CONSTANT_OP, ()), _OPERATION
    ).items():
        if opcode in INSTRUCTIONS:
            yield Required(*INSTRUCTIONS[opcode], numbers)


def _by_word(survey: Survey, numbers: Iterable[int], word: int) -> dict[int, list[int]]:
    """Instructions by what one of their words is; those that are too short are left out."""
    words, starts = survey.module.words, survey.module.starts
    found: defaultdict[int, list[int]] = defaultdict(list)
    for number in numbers:
        at = starts[number]
        if words[at] >> 16 > word:
            found[words[at + word]].append(number)
    return found


def _of_values(kind: str, by_value: Mapping[int, list[int]]) -> Iterator[Required]:
    needs = VALUES[kind]
    for value, numbers in by_value.items():
        for each in _bits(value) if kind in MASKS else (value,):
            if each in needs:
                yield Required(*needs[each], numbers)


def _bits(value: int) -> Iterator[int]:
    while value:
        yield value & -value
        value &= value - 1


def _of_parameters(
    survey: Survey, decorations: Mapping[int, list[int]], word: int
) -> Iterator[Required]:
    for decoration, numbers in decorations.items():
        if decoration in PARAMETERS:
            yield from _of_values(PARAMETERS[decoration], _by_word(survey, numbers, word))


def _of_types(survey: Survey, opcode: int, numbers: Iterable[int]) -> Iterator[Required]:
    word, sizes = _TYPES[opcode]
    for size, of_size in _by_word(survey, numbers, word).items():
        for capability in sizes.get(size, ()):
            yield Required((capability,), (), of_size)


def _of_atomics(survey: Survey, opcode: int, numbers: Iterable[int]) -> Iterator[Required]:
    capabilities, extensions = INSTRUCTIONS.get(opcode, ((), ()))
    by_type: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for number in numbers:
        by_type[_type_worked_on(survey, opcode, number)].append(number)
    for scalar, of_type in by_type.items():
        yield Required(_ATOMICS[opcode].get(scalar, capabilities), extensions, of_type)


def _type_worked_on(survey: Survey, opcode: int, number: int) -> tuple[int, int]:
    """The opcode and, of a scalar, the width of the type of what an atomic operation works on."""
    module, definitions = survey.module, survey.index.definitions
    at = module.starts[number]
    if opcode == _ATOMIC_STORE:
        at = module.starts[definitions[module.operand(at, _ATOMIC_STORE_VALUE)]]
    at = module.starts[definitions[module.operand(at, 1)]]
    scalar = module.opcode(at)
    return scalar, module.operand(at, 2) if scalar in (TYPE_INT, TYPE_FLOAT) else 0
