"""The structure of a module: instructions by opcode, functions, definitions outside functions."""

from array import array
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from dovetail.spirv.grammar import operand_kinds
from dovetail.spirv.index import Index, index_ids
from dovetail.spirv.module import SpirvModule, error
from dovetail.spirv.opcodes import FUNCTION, FUNCTION_END

_NONE = array("I")


@dataclass(frozen=True, slots=True)
class ModuleStructure:
    """A module with its structure. Instructions are identified by number, as in `Index`."""

    module: SpirvModule
    index: Index
    numbers: "dict[int, array[int]]"
    """The numbers of instructions, by opcode."""
    unknown: "array[int]"
    """The numbers of instructions with unknown opcodes."""
    functions: dict[int, range]
    """The instructions of each function, by id, in module order."""
    outside: frozenset[int]
    """The ids defined outside functions, and those of functions themselves."""

    def with_opcode(self, *opcodes: int) -> Iterator[tuple[int, int]]:
        """Yield the number and word offset of the instructions with some opcodes."""
        starts = self.module.starts
        for opcode in opcodes:
            for number in self.numbers.get(opcode, _NONE):
                yield number, starts[number]

    def span(self, identifier: int) -> range | None:
        """Return the instructions that define an id: one, or those of a whole function.

        None if only an unknown instruction can define it.
        """
        if identifier in self.functions:
            return self.functions[identifier]
        number = self.index.definitions.get(identifier)
        return None if number is None else range(number, number + 1)

    def used(self, numbers: range) -> "array[int]":
        """Return the ids that a range of instructions uses."""
        ends = self.index.ends
        start = ends[numbers.start - 1] if numbers.start else 0
        return self.index.used[start : ends[numbers.stop - 1]]


def module_structure(module: SpirvModule) -> ModuleStructure:
    """Analyze a module; raise `FormatError` if ids or functions are malformed."""
    index = index_ids(module, allow_unknown=True)
    numbers = _by_opcode(module)
    functions = _functions(module, index, numbers)
    unknown = (
        each for opcode in numbers if operand_kinds(opcode) is None for each in numbers[opcode]
    )
    return ModuleStructure(
        module,
        index,
        numbers,
        array("I", sorted(unknown)),
        functions,
        _outside(index, functions),
    )


def _by_opcode(module: SpirvModule) -> "dict[int, array[int]]":
    numbers: defaultdict[int, array[int]] = defaultdict(lambda: array("I"))
    words = module.words
    for number, offset in enumerate(module.starts):
        numbers[words[offset] & 0xFFFF].append(number)
    return numbers


def _functions(
    module: SpirvModule, index: Index, numbers: "dict[int, array[int]]"
) -> dict[int, range]:
    """Return the numbers of each function's instructions, by its id."""
    begins, ends = numbers.get(FUNCTION, _NONE), numbers.get(FUNCTION_END, _NONE)
    previous_end = 0
    functions: dict[int, range] = {}
    for place, begin in enumerate(begins):
        end = ends[place] if place < len(ends) else len(module.starts)
        next_begin = begins[place + 1] if place + 1 < len(begins) else len(module.starts)
        if not previous_end <= begin < end < next_begin:
            raise error(module.starts[begin], "the function has no OpFunctionEnd")
        previous_end = end + 1
        functions[index.results[begin]] = range(begin, previous_end)
    if len(ends) > len(begins):
        raise error(module.starts[ends[len(begins)]], "OpFunctionEnd without a function")
    return functions


def _outside(index: Index, functions: dict[int, range]) -> frozenset[int]:
    """Return the ids that are defined outside of functions, and those of functions."""
    found = set(functions)
    previous_end = 0
    for inside in functions.values():
        found.update(index.results[previous_end : inside.start])
        previous_end = inside.stop
    found.update(index.results[previous_end:])
    found.discard(0)
    return frozenset(found)
