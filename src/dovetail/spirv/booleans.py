"""The values of boolean constants, once those of specialization constants are given."""

from collections.abc import Mapping
from typing import NamedTuple

from dovetail.errors import FormatError
from dovetail.spirv.grammar import name_of
from dovetail.spirv.module import Module, error
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
from dovetail.spirv.survey import Survey

_LOGICAL = (LOGICAL_AND, LOGICAL_OR, LOGICAL_NOT)
_OPERATION = 3
"""The word of `OpSpecConstantOp` with the opcode; its operands follow."""
_WITH_A_VALUE = {
    CONSTANT_TRUE: True,
    CONSTANT_FALSE: False,
    SPEC_CONSTANT_TRUE: True,
    SPEC_CONSTANT_FALSE: False,
}
_TO_BE_SET = (SPEC_CONSTANT_TRUE, SPEC_CONSTANT_FALSE)


class Booleans(NamedTuple):
    """What is known of a module's boolean constants."""

    survey: Survey
    spec_ids: Mapping[int, int]
    """By id of a constant, the number that programs set it by."""
    values: dict[int, bool]
    """By id; there is none for what depends on constants that nobody gave a value."""
    set_here: set[int]
    """The ids of constants with a given value, and of expressions that depend on such."""

    def holds(self, condition: int) -> bool:
        """The value of a constant; raises `FormatError` if it has none."""
        value = self.values.get(condition)
        if value is None:
            raise self._why_unknown(condition)
        return value

    def _why_unknown(self, condition: int) -> FormatError:
        """What an expression lacks, or the first of these."""
        definitions, starts = self.survey.index.definitions, self.survey.module.starts
        words = self.survey.module.words
        before = len(starts)
        while True:
            number = definitions.get(condition)
            if number is None:
                at = starts[self.survey.unknown[0]]
                return error(at, f"nothing is known of what defines the condition %{condition}")
            at = starts[number]
            if number >= before:
                return error(at, f"%{condition} is used before it is defined")
            if condition in self.spec_ids and words[at] & 0xFFFF in _TO_BE_SET:
                return error(
                    at, f"the specialization constant {self.spec_ids[condition]} has no value"
                )
            operands = _logical_operands(self.survey.module, at)
            if not operands:
                opcode = self.survey.module.opcode(at)
                return error(at, f"a condition is {name_of(opcode)}, and no boolean constant")
            before = number
            condition = next(
                each for each in operands if each not in self.values or definitions[each] >= number
            )


def evaluated(survey: Survey, spec_ids: Mapping[int, int], given: Mapping[int, bool]) -> Booleans:
    """Give constants values by their `SpecId`, and compute what depends on them.

    What is defined uses only what is defined before it. So one walk does, and cycles have no value.
    """
    module = survey.module
    words = module.words
    found = Booleans(survey, spec_ids, {}, set())
    _, _, values, set_here = found
    for _, at in sorted(survey.all_of(*_WITH_A_VALUE, CONSTANT_NULL, SPEC_CONSTANT_OP)):
        opcode, identifier = words[at] & 0xFFFF, words[at + 2]
        if opcode in _WITH_A_VALUE:
            if opcode not in _TO_BE_SET or identifier not in spec_ids:
                values[identifier] = _WITH_A_VALUE[opcode]
            elif spec_ids[identifier] in given:
                values[identifier] = given[spec_ids[identifier]]
                set_here.add(identifier)
        elif opcode == CONSTANT_NULL:
            if _is_boolean(survey, words[at + 1]):
                values[identifier] = False
        else:
            operands = _logical_operands(module, at)
            if operands and values.keys() >= set(operands):
                left, right = values[operands[0]], values[operands[-1]]
                values[identifier] = _computed(words[at + _OPERATION], left, right)
                if not set_here.isdisjoint(operands):
                    set_here.add(identifier)
    return found


def _logical_operands(module: Module, at: int) -> tuple[int, ...]:
    """The operands of an expression of and, or, not; none if an instruction is something else."""
    words = module.words
    if words[at] & 0xFFFF != SPEC_CONSTANT_OP or words[at + _OPERATION] not in _LOGICAL:
        return ()
    return tuple(words[at + _OPERATION + 1 : module.end(at)])


def _computed(operation: int, left: bool, right: bool) -> bool:
    if operation == LOGICAL_NOT:
        return not left
    return left and right if operation == LOGICAL_AND else left or right


def _is_boolean(survey: Survey, type_id: int) -> bool:
    number = survey.index.definitions.get(type_id)
    module = survey.module
    return number is not None and module.opcode(module.starts[number]) == TYPE_BOOL
