"""The decorations of a module that say what may be left out of it, or may not."""

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
from dovetail.spirv.survey import Survey

SPEC_ID = 1
LINKAGE_ATTRIBUTES = 41
CONDITIONAL = 6247

_EXPORT = 0


class OperandDecoration(NamedTuple):
    """A decoration with one operand."""

    number: int
    """The instruction that gives it."""
    target: int
    """What it is given to, which may be a group."""
    operand: int


class Decorations(NamedTuple):
    """What is decorated."""

    conditions: list[OperandDecoration]
    spec_ids: list[OperandDecoration]
    exported: set[int]
    """The ids of what other modules may use."""
    groups: dict[int, list[int]]
    """By id of a group, what is in it."""

    def members(self, target: int) -> Sequence[int]:
        """What is decorated by decorating an id: the members of a group, or itself."""
        return self.groups.get(target, (target,))


def decorations_of(survey: Survey) -> Decorations:
    """Walk the decorations of a module."""
    found = Decorations([], [], set(), _groups(survey))
    words, end = survey.module.words, survey.module.end
    for number, at in survey.all_of(DECORATE, DECORATE_ID, DECORATE_STRING):
        decoration = words[at + 2]
        if decoration in (SPEC_ID, CONDITIONAL):
            given = found.spec_ids if decoration == SPEC_ID else found.conditions
            given.append(OperandDecoration(number, words[at + 1], words[at + 3]))
        elif decoration == LINKAGE_ATTRIBUTES and words[end(at) - 1] == _EXPORT:
            found.exported.add(words[at + 1])
    for _, at in survey.all_of(MEMBER_DECORATE, MEMBER_DECORATE_STRING):
        if words[at + 3] == CONDITIONAL:
            raise error(at, "a member cannot be conditional")
    return found


def _groups(survey: Survey) -> dict[int, list[int]]:
    words, end = survey.module.words, survey.module.end
    groups: dict[int, list[int]] = {}
    for _, at in survey.all_of(GROUP_DECORATE):
        groups.setdefault(words[at + 1], []).extend(words[at + 2 : end(at)])
    return groups
