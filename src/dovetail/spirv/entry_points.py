"""The entry points of a module that is specialised."""

from collections.abc import Iterator
from typing import NamedTuple

from dovetail.spirv.booleans import Booleans
from dovetail.spirv.module import find_string
from dovetail.spirv.opcodes import (
    CONDITIONAL_ENTRY_POINT,
    ENTRY_POINT,
    EXECUTION_MODE,
    EXECUTION_MODE_ID,
)
from dovetail.spirv.removal import Removal
from dovetail.spirv.survey import Survey


class _EntryPoint(NamedTuple):
    number: int
    first: int
    """The place of the words that an entry point without condition has, too."""
    function: int
    is_conditional: bool


class EntryPoints:
    """Those that stay, once what is off is known."""

    def __init__(self, survey: Survey, booleans: Booleans, removal: Removal) -> None:
        """Have entry points leave that are off, or whose functions are, with execution modes."""
        self._survey = survey
        words = survey.module.words
        self._kept: list[_EntryPoint] = []
        dropped: set[int] = set()
        for entry in _entry_points(survey):
            condition = words[entry.first - 1]
            is_on = not entry.is_conditional or booleans.holds(condition)
            if is_on and not removal.is_gone(entry.function):
                removal.ignore(entry.number)
                self._kept.append(entry)
            else:
                removal.remove(range(entry.number, entry.number + 1))
                dropped.add(entry.function)
            if entry.is_conditional:
                removal.release((condition,))
        kept = {entry.function for entry in self._kept}
        removal.needed |= kept
        dropped -= kept
        for number, at in survey.all_of(EXECUTION_MODE, EXECUTION_MODE_ID):
            if words[at + 1] in dropped:
                removal.remove(range(number, number + 1))

    def rewritten(self, gone: set[int]) -> Iterator[tuple[int, list[int]]]:
        """By number, the operands of those that are no longer what they were.

        They have no condition, and in their interfaces nothing that left. A variable that nothing
        else uses is not kept by standing there: compilers list all that a module has.
        """
        module = self._survey.module
        for entry in self._kept:
            end = module.end(module.starts[entry.number])
            _, interface = find_string(module.words, entry.first + 2, end)
            variables = module.words[interface:end]
            if entry.is_conditional or not gone.isdisjoint(variables):
                kept = [each for each in variables if each not in gone]
                yield entry.number, [*module.words[entry.first : interface], *kept]


def _entry_points(survey: Survey) -> Iterator[_EntryPoint]:
    words = survey.module.words
    for number, at in survey.all_of(ENTRY_POINT):
        yield _EntryPoint(number, at + 1, words[at + 2], is_conditional=False)
    for number, at in survey.all_of(CONDITIONAL_ENTRY_POINT):
        yield _EntryPoint(number, at + 2, words[at + 3], is_conditional=True)
