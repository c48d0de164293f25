"""What stands where in a module: instructions by opcode, functions, and what is outside of them."""

from array import array
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from dovetail.spirv.grammar import spelled
from dovetail.spirv.index import Index, index_ids
from dovetail.spirv.module import Module, error
from dovetail.spirv.opcodes import FUNCTION, FUNCTION_END

_NONE = array("I")


@dataclass(frozen=True, slots=True)
class Survey:
    """A module and what is where in it. Instructions are known by their numbers, as in `Index`."""

    module: Module
    index: Index
    numbers: "dict[int, array[int]]"
    """By opcode, the instructions, in order."""
    unknown: "array[int]"
    """The instructions that nobody knows, in order."""
    functions: dict[int, range]
    """By id, the instructions of a function; in order."""
    outside: frozenset[int]
    """The ids that are defined outside of functions, and those of functions themselves."""

    def all_of(self, *opcodes: int) -> Iterator[tuple[int, int]]:
        """Number and place of the instructions of some opcodes, opcode by opcode."""
        starts = self.module.starts
        for opcode in opcodes:
            for number in self.numbers.get(opcode, _NONE):
                yield number, starts[number]

    def span(self, identifier: int) -> range | None:
        """The instructions that define an id: those of a whole function, or one.

        None if it can only be an instruction that nobody knows.
        """
        if identifier in self.functions:
            return self.functions[identifier]
        number = self.index.definitions.get(identifier)
        return None if number is None else range(number, number + 1)

    def used(self, numbers: range) -> "array[int]":
        """The ids that instructions use that follow each other."""
        ends = self.index.ends
        start = ends[numbers.start - 1] if numbers.start else 0
        return self.index.used[start : ends[numbers.stop - 1]]


def survey(module: Module) -> Survey:
    """Walk a module; raises `FormatError` if ids or functions are not as they should be."""
    index = index_ids(module, allow_unknown=True)
    numbers = _by_opcode(module)
    functions = _functions(module, index, numbers)
    unknown = (each for opcode in numbers if spelled(opcode) is None for each in numbers[opcode])
    return Survey(
        module,
        index,
        numbers,
        array("I", sorted(unknown)),
        functions,
        _outside(index, functions),
    )


def _by_opcode(module: Module) -> "dict[int, array[int]]":
    numbers: defaultdict[int, array[int]] = defaultdict(lambda: array("I"))
    words = module.words
    for number, at in enumerate(module.starts):
        numbers[words[at] & 0xFFFF].append(number)
    return numbers


def _functions(module: Module, index: Index, numbers: "dict[int, array[int]]") -> dict[int, range]:
    begins, ends = numbers.get(FUNCTION, _NONE), numbers.get(FUNCTION_END, _NONE)
    behind = 0
    functions: dict[int, range] = {}
    for place, begin in enumerate(begins):
        end = ends[place] if place < len(ends) else len(module.starts)
        next_begin = begins[place + 1] if place + 1 < len(begins) else len(module.starts)
        if not behind <= begin < end < next_begin:
            raise error(module.starts[begin], "the function has no end of its own")
        behind = end + 1
        functions[index.results[begin]] = range(begin, behind)
    if len(ends) > len(begins):
        raise error(module.starts[ends[len(begins)]], "this ends no function")
    return functions


def _outside(index: Index, functions: dict[int, range]) -> frozenset[int]:
    found = set(functions)
    behind = 0
    for inside in functions.values():
        found.update(index.results[behind : inside.start])
        behind = inside.stop
    found.update(index.results[behind:])
    found.discard(0)
    return frozenset(found)
