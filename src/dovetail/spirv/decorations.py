"""The decorations that determine what `specialised` removes: conditions, `SpecId`, exports."""

from collections.abc import Sequence
from typing import NamedTuple

from dovetail.spirv.module import error
from dovetail.spirv.opcodes import (
    DECORATE,
    DECORATE_ID,
    DECORATE_STRING,
    GROUP_DECORATE,
    MEMBER_DECORATE,
    MEMBER_DECORATE_STRING,
)
from dovetail.spirv.structure import ModuleStructure

SPEC_ID = 1
LINKAGE_ATTRIBUTES = 41
CONDITIONAL = 6247

_EXPORT = 0


class OperandDecoration(NamedTuple):
    """A decoration with one operand."""

    number: int
    """The number of the instruction."""
    target: int
    """The decorated id, which may be a group."""
    operand: int


class Decorations(NamedTuple):
    """The relevant decorations of a module."""

    conditions: list[OperandDecoration]
    spec_ids: list[OperandDecoration]
    exported: set[int]
    """The ids that other modules may use."""
    groups: dict[int, list[int]]
    """The members of decoration groups, by id."""

    def members(self, target: int) -> Sequence[int]:
        """Return the members of a group, or the id itself if it is not a group."""
        return self.groups.get(target, (target,))


def decorations_of(structure: ModuleStructure) -> Decorations:
    """Collect the relevant decorations of a module."""
    found = Decorations([], [], set(), _groups(structure))
    words, end = structure.module.words, structure.module.end
    for number, offset in structure.with_opcode(DECORATE, DECORATE_ID, DECORATE_STRING):
        decoration = words[offset + 2]
        if decoration in (SPEC_ID, CONDITIONAL):
            given = found.spec_ids if decoration == SPEC_ID else found.conditions
            given.append(OperandDecoration(number, words[offset + 1], words[offset + 3]))
        elif decoration == LINKAGE_ATTRIBUTES and words[end(offset) - 1] == _EXPORT:
            found.exported.add(words[offset + 1])
    for _, offset in structure.with_opcode(MEMBER_DECORATE, MEMBER_DECORATE_STRING):
        if words[offset + 3] == CONDITIONAL:
            raise error(offset, "a member cannot be conditional")
    return found


def _groups(structure: ModuleStructure) -> dict[int, list[int]]:
    words, end = structure.module.words, structure.module.end
    groups: dict[int, list[int]] = {}
    for _, offset in structure.with_opcode(GROUP_DECORATE):
        groups.setdefault(words[offset + 1], []).extend(words[offset + 2 : end(offset)])
    return groups
