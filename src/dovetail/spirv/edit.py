"""Changes to a module, which are made all at once."""

from array import array

from dovetail.errors import FormatError
from dovetail.spirv.module import Module
from dovetail.spirv.sections import ModuleSection, section_ends, section_of
from dovetail.spirv.words import instruction

_BOUND = 3
"""The header's word."""

_MOST_IDS = 0xFFFF_FFFF


class Edit:
    """Instructions to add to a module, to replace in it and to take out of it.

    What is added goes to the end of the section of its kind, in the order it is added in.
    """

    def __init__(self, module: Module) -> None:
        self._module = module
        self._bound = module.bound
        self._added: dict[ModuleSection, array[int]] = {}
        self._replaced: dict[int, tuple[int, array[int]]] = {}
        """By place, where what is taken out ends, and the words that come instead."""

    def new_id(self) -> int:
        """An id that the module does not have yet."""
        if self._bound == _MOST_IDS:
            raise FormatError("SPIR-V, word 3: the module has no ids left")
        self._bound += 1
        return self._bound - 1

    def add(self, opcode: int, *operands: int | str) -> None:
        """Add an instruction that does not stand in a function."""
        section = section_of(opcode)
        self._added.setdefault(section, array("I")).extend(instruction(opcode, *operands))

    def remove(self, at: int, end: int | None = None) -> None:
        """Take out the instruction at a place, or all up to another place."""
        self._replaced[at] = (self._module.end(at) if end is None else end), array("I")

    def replace(self, at: int, opcode: int, *operands: int | str) -> None:
        """Put an instruction where another one stands."""
        self._replaced[at] = self._module.end(at), instruction(opcode, *operands)

    def done(self) -> Module:
        """The module with all changes; the one they are made to stays as it is."""
        if not self._added and not self._replaced and self._bound == self._module.bound:
            return self._module
        words, new = self._module.words, array("I")
        kept = 0
        for at, end, added in self._cuts():
            new.extend(words[kept:at])
            new.extend(added)
            kept = end
        new.extend(words[kept:])
        new[_BOUND] = self._bound
        return Module(new, swapped=self._module.is_swapped)

    def _cuts(self) -> "list[tuple[int, int, array[int]]]":
        """What words to leave out, and what to put there, in the module's order."""
        cuts = [(at, end, instead) for at, (end, instead) in self._replaced.items()]
        if self._added:
            ends = section_ends(self._module)
            cuts += [
                (ends[section], ends[section], self._added[section]) for section in self._added
            ]
        # Where sections end at the same word, the earlier one's come first.
        order = {id(added): section for section, added in self._added.items()}
        return sorted(cuts, key=lambda cut: (cut[0], cut[1], order.get(id(cut[2]), 0)))
