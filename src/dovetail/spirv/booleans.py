"""Evaluates boolean constants for given values of specialization constants."""

from collections.abc import Mapping
from typing import NamedTuple

from dovetail.errors import FormatError
from dovetail.spirv.grammar import opcode_name
from dovetail.spirv.module import SpirvModule, error
from dovetail.spirv.opcodes import (
    CONSTANT_FALSE,
    CONSTANT_NULL,
    CONSTANT_TRUE,
    LOGICAL_AND,
    LOGICAL_NOT,
    LOGICAL_OR,
    SPEC_CONSTANT_FALSE,
    SPEC_CONSTANT_OP,
    SPEC_CONSTANT_TRUE,
    TYPE_BOOL,
)
from dovetail.spirv.structure import ModuleStructure

_LOGICAL = (LOGICAL_AND, LOGICAL_OR, LOGICAL_NOT)
_OPERATION_WORD = 3
"""The word of `OpSpecConstantOp` with the opcode; the operands follow."""
_DEFAULTS = {
    CONSTANT_TRUE: True,
    CONSTANT_FALSE: False,
    SPEC_CONSTANT_TRUE: True,
    SPEC_CONSTANT_FALSE: False,
}
_SPEC_CONSTANTS = (SPEC_CONSTANT_TRUE, SPEC_CONSTANT_FALSE)


class BooleanConstants(NamedTuple):
    """The values of a module's boolean constants."""

    structure: ModuleStructure
    spec_ids: Mapping[int, int]
    """`SpecId` by id of a constant."""
    values: dict[int, bool]
    """By id; without constants that depend on specialization constants without a value."""
    specialised: set[int]
    """The ids of constants with a given value, and of expressions that depend on them."""

    def value_of(self, condition: int) -> bool:
        """Return the value of a constant; raise `FormatError` if it has none."""
        value = self.values.get(condition)
        if value is None:
            raise self._error(condition)
        return value

    def _error(self, condition: int) -> FormatError:
        """Return the first reason why an expression has no value."""
        definitions, starts = self.structure.index.definitions, self.structure.module.starts
        words = self.structure.module.words
        before = len(starts)
        while True:
            number = definitions.get(condition)
            if number is None:
                offset = starts[self.structure.unknown[0]]
                return error(
                    offset, f"the condition %{condition} may be defined by an unknown opcode"
                )
            offset = starts[number]
            if number >= before:
                return error(offset, f"%{condition} is used before it is defined")
            if condition in self.spec_ids and words[offset] & 0xFFFF in _SPEC_CONSTANTS:
                return error(
                    offset, f"the specialization constant {self.spec_ids[condition]} has no value"
                )
            operands = _logical_operands(self.structure.module, offset)
            if not operands:
                opcode = self.structure.module.opcode(offset)
                return error(offset, f"expected a boolean constant, got {opcode_name(opcode)}")
            before = number
            condition = next(
                each for each in operands if each not in self.values or definitions[each] >= number
            )


def evaluate_booleans(
    structure: ModuleStructure, spec_ids: Mapping[int, int], given: Mapping[int, bool]
) -> BooleanConstants:
    """Evaluate all boolean constants for `given` values, by `SpecId`.

    Instructions use only earlier definitions, so one pass is enough, and cycles have no value.
    """
    module = structure.module
    words = module.words
    found = BooleanConstants(structure, spec_ids, {}, set())
    _, _, values, specialised = found
    for _, offset in sorted(structure.with_opcode(*_DEFAULTS, CONSTANT_NULL, SPEC_CONSTANT_OP)):
        opcode, identifier = words[offset] & 0xFFFF, words[offset + 2]
        if opcode in _DEFAULTS:
            if opcode not in _SPEC_CONSTANTS or identifier not in spec_ids:
                values[identifier] = _DEFAULTS[opcode]
            elif spec_ids[identifier] in given:
                values[identifier] = given[spec_ids[identifier]]
                specialised.add(identifier)
        elif opcode == CONSTANT_NULL:
            if _is_boolean(structure, words[offset + 1]):
                values[identifier] = False
        else:
            operands = _logical_operands(module, offset)
            if operands and values.keys() >= set(operands):
                left, right = values[operands[0]], values[operands[-1]]
                values[identifier] = _computed(words[offset + _OPERATION_WORD], left, right)
                if not specialised.isdisjoint(operands):
                    specialised.add(identifier)
    return found


def _logical_operands(module: SpirvModule, offset: int) -> tuple[int, ...]:
    """Return the operands of an and, or, not expression; none for other instructions."""
    words = module.words
    if (
        words[offset] & 0xFFFF != SPEC_CONSTANT_OP
        or words[offset + _OPERATION_WORD] not in _LOGICAL
    ):
        return ()
    return tuple(words[offset + _OPERATION_WORD + 1 : module.end(offset)])


def _computed(operation: int, left: bool, right: bool) -> bool:
    if operation == LOGICAL_NOT:
        return not left
    return left and right if operation == LOGICAL_AND else left or right


def _is_boolean(structure: ModuleStructure, type_id: int) -> bool:
    number = structure.index.definitions.get(type_id)
    module = structure.module
    return number is not None and module.opcode(module.starts[number]) == TYPE_BOOL
