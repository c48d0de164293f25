"""The ids that a module's instructions define and use, found in one pass.

Results are flat arrays with one element for each id: a module of half a megabyte has a hundred
thousand ids, and one object for each would dominate the time.
"""

from array import array
from bisect import bisect_right
from typing import NamedTuple

from dovetail.spirv.grammar import operand_kinds
from dovetail.spirv.module import SpirvModule, error
from dovetail.spirv.opcodes import SWITCH, TYPE_INT
from dovetail.spirv.operands import after_value, operands
from dovetail.spirv.words import WORD_BYTES

_WORD_BITS = 32
_SWITCH_WORDS = 3
"""The length of a switch without cases."""


class Index(NamedTuple):
    """The ids of a module. Instructions are numbered in the module's order."""

    results: "array[int]"
    """The id that each instruction defines; 0 for none."""
    used: "array[int]"
    """The ids that instructions use, including result types, concatenated."""
    ends: "array[int]"
    """The end of each instruction's part of `used`."""
    definitions: dict[int, int]
    """The number of the defining instruction, by id."""

    def uses(self, number: int) -> "array[int]":
        """Return the ids that an instruction uses."""
        return self.used[self.ends[number - 1] if number else 0 : self.ends[number]]


class _Shape(NamedTuple):
    """The positions of ids in an instruction, as numbers of words."""

    result: int
    """0 if there is none."""
    singles: tuple[int, ...]
    rest: int
    """The first of trailing words that are all ids; 0 if there are none."""


_NO_IDS = _Shape(0, (), 0)
_NO_SELECTOR = 0
_ALL_WORDS = -1
"""Used instead of a selector's word number: the shape depends on all words, and is not cached."""

_SELECTING = frozenset("DEILMo")
"""Operands whose value determines which operands follow."""
_VARYING = _SELECTING | frozenset("sp")
"""Operands whose value determines their length or which operands follow."""
_QUANTIFIERS = frozenset("?*")


def index_ids(module: SpirvModule, *, allow_unknown: bool = False) -> Index:
    """Index a module; raise `FormatError` unless every id is in bounds and defined once.

    Strings are skipped unless ids can follow. Unknown opcodes are an error; with `allow_unknown`
    they define and use nothing in the index, but may define the ids that others use.
    """
    walk = _Walk(module, allow_unknown=allow_unknown)
    walk.walk()
    walk.check()
    return walk.index


class _Walk:
    """One pass over a module. Shapes of instructions are cached, since few distinct ones occur.

    For most instructions, opcode and length determine the shape. For some, one more word does, the
    selector, such as the decoration. For a few, the shape depends on all words.
    """

    def __init__(self, module: SpirvModule, *, allow_unknown: bool) -> None:
        no_results = array("I", bytes(len(module.starts) * WORD_BYTES))
        self.index = Index(no_results, array("I"), array("I"), {})
        self._module = module
        self._allow_unknown = allow_unknown
        self._shapes: dict[int, tuple[int, _Shape]] = {}
        """By first word: the number of the selector's word, and the shape if there is none."""
        self._by_value: dict[tuple[int, int], _Shape] = {}
        """By first word and value of the selector."""

    def walk(self) -> None:
        """Fill the index."""
        words, known, by_value = self._module.words, self._shapes.get, self._by_value.get
        results, used, ends, definitions = self.index
        use, use_all, add_end = used.append, used.extend, ends.append
        define = definitions.setdefault
        for number, offset in enumerate(self._module.starts):
            word = words[offset]
            selector, shape = known(word) or self._new_shape(offset)
            if selector:
                shape = by_value((word, words[offset + selector])) or self._shape_here(
                    offset, selector
                )
            result, singles, rest = shape
            for single in singles:
                use(words[offset + single])
            if rest:
                use_all(words[offset + rest : offset + (word >> 16)])
            add_end(len(used))
            if result:
                results[number] = identifier = words[offset + result]
                if define(identifier, number) != number:
                    raise error(offset + result, f"%{identifier} is defined twice")

    def check(self) -> None:
        """Raise `FormatError` for ids that are out of bounds or not defined."""
        _, used, ends, definitions = self.index
        starts, bound = self._module.starts, self._module.bound
        for identifier, number in definitions.items():
            if not 0 < identifier < bound:
                raise error(
                    starts[number], f"expected an id from 1 to {bound - 1}, got %{identifier}"
                )
        missing = set(used) - definitions.keys()
        if missing and self._allow_unknown:
            missing -= self._words_of_unknown()
        if missing:
            place = next(place for place, each in enumerate(used) if each in missing)
            offset = starts[bisect_right(ends, place)]
            raise error(offset, f"%{used[place]} is not defined")

    def _words_of_unknown(self) -> set[int]:
        """Return all operand words of unknown instructions."""
        words = self._module.words
        return {
            word
            for opcode, offset, length in self._module.instructions()
            if operand_kinds(opcode) is None
            for word in words[offset + 1 : offset + length]
        }

    def _new_shape(self, offset: int) -> tuple[int, _Shape]:
        """Compute the selector and shape of instructions with the same first word."""
        opcode, length = self._module.opcode(offset), self._module.end(offset) - offset
        kinds = operand_kinds(opcode)
        if kinds is None:
            if not self._allow_unknown:
                raise error(offset, f"unknown opcode {opcode}")
            return self._shapes.setdefault(self._module.words[offset], (_NO_SELECTOR, _NO_IDS))
        selector = _selector_word(kinds)
        if selector == _NO_SELECTOR or selector >= length:
            known = _NO_SELECTOR, self._shape(offset, _without_string(kinds))
        else:
            known = selector, _NO_IDS
        self._shapes[self._module.words[offset]] = known
        return known

    def _shape_here(self, offset: int, selector: int) -> _Shape:
        """Return the shape of an instruction whose first word does not determine it."""
        words, opcode = self._module.words, self._module.opcode(offset)
        kinds = operand_kinds(opcode) or ""
        if opcode == SWITCH and self._module.end(offset) - offset > _SWITCH_WORDS:
            # The width of cases is the selector; negated, it differs from all decorations.
            key = words[offset], -self._case_words(words[offset + 1])
            return self._by_value.get(key) or self._by_value.setdefault(
                key, self._shape(offset, kinds)
            )
        shape = self._shape(offset, kinds)
        if selector != _ALL_WORDS:
            value = words[offset + selector]
            parameters = after_value(opcode, kinds.rstrip("?")[-1], value, offset + selector)
            if not _VARYING.intersection(parameters):
                self._by_value[words[offset], value] = shape
        return shape

    def _shape(self, offset: int, kinds: str) -> _Shape:
        """Return where an instruction with operands of these kinds has ids."""
        result, singles = 0, list[int]()
        end = rest = self._module.end(offset)
        for kind, start, stop in operands(self._module.words, offset, kinds, self._case_words):
            if kind == "R":
                result = start - offset
            elif kind == "i" and stop == end:
                rest = start
            elif kind in "Ti":
                singles.extend(range(start - offset, stop - offset))
        return _Shape(result, tuple(singles), rest - offset if rest < end else 0)

    def _case_words(self, selector: int) -> int:
        """Return the number of words of a literal in a switch on `selector`."""
        offset = self._definition(selector)
        offset = self._definition(self._module.operand(offset, 1))
        if self._module.opcode(offset) != TYPE_INT:
            raise error(offset, "the selector of a switch is not an integer")
        bits = self._module.operand(offset, 2)
        return 2 if bits > _WORD_BITS else 1

    def _definition(self, identifier: int) -> int:
        """Return the word offset of the preceding instruction that defines an id."""
        number = self.index.definitions.get(identifier)
        if number is None:
            offset = self._module.starts[len(self.index.ends)]
            raise error(offset, f"%{identifier} is not defined before this instruction")
        return self._module.starts[number]


def _without_string(kinds: str) -> str:
    """Replace a trailing string by any number of words, which need not be decoded."""
    before, string, after = kinds.partition("s")
    assert after in ("", "?"), "operands follow a string"
    return f"{before}l*" if string else kinds


def _selector_word(kinds: str) -> int:
    """Return the number of the selector's word, `_NO_SELECTOR` or `_ALL_WORDS`."""
    varying = _VARYING.intersection(kinds)
    last = kinds.rstrip("?")
    if not varying or (varying == frozenset("s") and last.endswith("s")):
        return _NO_SELECTOR
    before = last[:-1]
    if last[-1] in _SELECTING and not (_VARYING | _QUANTIFIERS).intersection(before):
        return len(last)
    return _ALL_WORDS
