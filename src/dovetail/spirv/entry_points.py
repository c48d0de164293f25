"""The entry points of a module during specialization."""

from collections.abc import Iterator
from typing import NamedTuple

from dovetail.spirv.booleans import BooleanConstants
from dovetail.spirv.module import find_string
from dovetail.spirv.opcodes import (
    CONDITIONAL_ENTRY_POINT,
    ENTRY_POINT,
    EXECUTION_MODE,
    EXECUTION_MODE_ID,
)
from dovetail.spirv.removal import Removal
from dovetail.spirv.structure import ModuleStructure


class _EntryPoint(NamedTuple):
    number: int
    first: int
    """The offset of the operands that an entry point without a condition has too."""
    function: int
    is_conditional: bool


class EntryPoints:
    """Removes entry points that are off, and rewrites those that remain."""

    def __init__(
        self, structure: ModuleStructure, booleans: BooleanConstants, removal: Removal
    ) -> None:
        """Remove entry points that are off or whose functions are, with their execution modes."""
        self._structure = structure
        words = structure.module.words
        self._kept: list[_EntryPoint] = []
        dropped: set[int] = set()
        for entry in _entry_points(structure):
            condition = words[entry.first - 1]
            is_on = not entry.is_conditional or booleans.value_of(condition)
            if is_on and not removal.is_removed(entry.function):
                removal.ignore_uses(entry.number)
                self._kept.append(entry)
            else:
                removal.remove(range(entry.number, entry.number + 1))
                dropped.add(entry.function)
            if entry.is_conditional:
                removal.drop_uses((condition,))
        kept = {entry.function for entry in self._kept}
        removal.needed |= kept
        dropped -= kept
        for number, offset in structure.with_opcode(EXECUTION_MODE, EXECUTION_MODE_ID):
            if words[offset + 1] in dropped:
                removal.remove(range(number, number + 1))

    def rewritten(self, removed: set[int]) -> Iterator[tuple[int, list[int]]]:
        """Yield the numbers and new operands of entry points that change.

        They lose the condition, and removed variables in the interface. Being listed there does not
        keep a variable: compilers list all variables of a module.
        """
        module = self._structure.module
        for entry in self._kept:
            end = module.end(module.starts[entry.number])
            _, interface = find_string(module.words, entry.first + 2, end)
            variables = module.words[interface:end]
            if entry.is_conditional or not removed.isdisjoint(variables):
                kept = [each for each in variables if each not in removed]
                yield entry.number, [*module.words[entry.first : interface], *kept]


def _entry_points(structure: ModuleStructure) -> Iterator[_EntryPoint]:
    words = structure.module.words
    for number, offset in structure.with_opcode(ENTRY_POINT):
        yield _EntryPoint(number, offset + 1, words[offset + 2], is_conditional=False)
    for number, offset in structure.with_opcode(CONDITIONAL_ENTRY_POINT):
        yield _EntryPoint(number, offset + 2, words[offset + 3], is_conditional=True)
