"""Edits of a module: changes are collected, then applied at once."""

from array import array

from dovetail.errors import FormatError
from dovetail.spirv.module import SpirvModule
from dovetail.spirv.sections import ModuleSection, section_ends, section_of
from dovetail.spirv.words import instruction

_BOUND = 3
"""The word of the header with the bound of ids."""

_MAX_BOUND = 0xFFFF_FFFF


class Edit:
    """Instructions to add to a module, to replace in it and to remove from it.

    Added instructions are appended to their sections, in the order of the calls.
    """

    def __init__(self, module: SpirvModule) -> None:
        self._module = module
        self._bound = module.bound
        self._added: dict[ModuleSection, array[int]] = {}
        self._replaced: dict[int, tuple[int, array[int]]] = {}
        """By word offset, the end of the removed words, and their replacement."""

    def new_id(self) -> int:
        """Reserve an unused id, and return it."""
        if self._bound == _MAX_BOUND:
            raise FormatError("SPIR-V, word 3: the module has no ids left")
        self._bound += 1
        return self._bound - 1

    def add(self, opcode: int, *operands: int | str) -> None:
        """Add an instruction outside functions."""
        section = section_of(opcode)
        self._added.setdefault(section, array("I")).extend(instruction(opcode, *operands))

    def remove(self, offset: int, end: int | None = None) -> None:
        """Remove the instruction at a word offset, or all words from there to `end`."""
        self._replaced[offset] = (self._module.end(offset) if end is None else end), array("I")

    def replace(self, offset: int, opcode: int, *operands: int | str) -> None:
        """Replace the instruction at a word offset."""
        self._replaced[offset] = self._module.end(offset), instruction(opcode, *operands)

    def apply(self) -> SpirvModule:
        """Return a new module with all changes."""
        if not self._added and not self._replaced and self._bound == self._module.bound:
            return self._module
        words, new = self._module.words, array("I")
        kept = 0
        for offset, end, added in self._cuts():
            new.extend(words[kept:offset])
            new.extend(added)
            kept = end
        new.extend(words[kept:])
        new[_BOUND] = self._bound
        return SpirvModule(new, swapped=self._module.is_swapped)

    def _cuts(self) -> "list[tuple[int, int, array[int]]]":
        """Return the ranges of words to replace, with their replacements, in module order."""
        cuts = [(offset, end, words) for offset, (end, words) in self._replaced.items()]
        if self._added:
            ends = section_ends(self._module)
            cuts += [
                (ends[section], ends[section], self._added[section]) for section in self._added
            ]
        # If sections end at the same word, additions to the earlier section come first.
        order = {id(added): section for section, added in self._added.items()}
        return sorted(cuts, key=lambda cut: (cut[0], cut[1], order.get(id(cut[2]), 0)))
