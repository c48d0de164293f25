"""Which ids the instructions of a module define and use, all of them in one walk.

What a walk finds is kept in flat arrays, one element an id: a module of half a megabyte has a
hundred thousand of them, and an object for each would cost more than everything else.
"""

from array import array
from bisect import bisect_right
from typing import NamedTuple

from dovetail.spirv.grammar import spelled
from dovetail.spirv.module import Module, error
from dovetail.spirv.opcodes import SWITCH, TYPE_INT
from dovetail.spirv.operands import after_value, operands
from dovetail.spirv.words import WORD

_WORD_BITS = 32
_SWITCH_WORDS = 3
"""Of a switch without cases."""


class Index(NamedTuple):
    """The ids of a module. Instructions are known by their numbers, in the module's order."""

    results: "array[int]"
    """By instruction, the id that it defines; 0 for none."""
    used: "array[int]"
    """The ids that instructions use, their results' types among them, one behind the other."""
    ends: "array[int]"
    """By instruction, where its part of `used` ends; the first begins at 0."""
    definitions: dict[int, int]
    """By id, the instruction that defines it."""

    def uses(self, number: int) -> "array[int]":
        """The ids that one instruction uses."""
        return self.used[self.ends[number - 1] if number else 0 : self.ends[number]]


class _Shape(NamedTuple):
    """Where ids lie in instructions, as numbers of words."""

    result: int
    """0 if there is none."""
    singles: tuple[int, ...]
    rest: int
    """From here to the end there are only ids; 0 if there are no more."""


_NO_IDS = _Shape(0, (), 0)
_NOTHING = 0
_EVERYTHING = -1
"""Instead of the number of a word that matters. No shape is kept by the word in front."""

_SELECTING = frozenset("DEILMo")
"""Operands whose value says which others follow."""
_VARYING = _SELECTING | frozenset("sp")
"""Operands whose words say where they end."""
_QUANTIFIERS = frozenset("?*")


def index_ids(module: Module, *, allow_unknown: bool = False) -> Index:
    """Walk a module; raises `FormatError` unless every id in it is in bounds and defined once.

    Strings are not looked at, unless ids can follow. Instructions that nobody knows are an error;
    with `allow_unknown` they use and define nothing here, and what is used may be in them.
    """
    walk = _Walk(module, allow_unknown=allow_unknown)
    walk.walk()
    walk.check()
    return walk.index


class _Walk:
    """One walk. Instructions of equal shape are many, so shapes are kept as they are found.

    In most instructions, opcode and length say where ids lie. In some, one more word does, such as
    the one with the decoration. In a few, everything matters.
    """

    def __init__(self, module: Module, *, allow_unknown: bool) -> None:
        no_results = array("I", bytes(len(module.starts) * WORD))
        self.index = Index(no_results, array("I"), array("I"), {})
        self._module = module
        self._allow_unknown = allow_unknown
        self._shapes: dict[int, tuple[int, _Shape]] = {}
        """By first word, the number of the word that matters too, and the shape if none does."""
        self._by_value: dict[tuple[int, int], _Shape] = {}
        """By first word and the word that matters too."""

    def walk(self) -> None:
        """Fill the index."""
        words, known, by_value = self._module.words, self._shapes.get, self._by_value.get
        results, used, ends, definitions = self.index
        use, use_all, add_end = used.append, used.extend, ends.append
        define = definitions.setdefault
        for number, at in enumerate(self._module.starts):
            word = words[at]
            matters, shape = known(word) or self._new_shape(at)
            if matters:
                shape = by_value((word, words[at + matters])) or self._shape_here(at, matters)
            result, singles, rest = shape
            for single in singles:
                use(words[at + single])
            if rest:
                use_all(words[at + rest : at + (word >> 16)])
            add_end(len(used))
            if result:
                results[number] = identifier = words[at + result]
                if define(identifier, number) != number:
                    raise error(at + result, f"%{identifier} is defined twice")

    def check(self) -> None:
        """Refuse ids that are out of bounds, or that nothing defines."""
        _, used, ends, definitions = self.index
        starts, bound = self._module.starts, self._module.bound
        for identifier, number in definitions.items():
            if not 0 < identifier < bound:
                raise error(starts[number], f"%{identifier} is not between 0 and {bound}")
        missing = set(used) - definitions.keys()
        if missing and self._allow_unknown:
            missing -= self._words_of_unknown()
        if missing:
            place = next(place for place, each in enumerate(used) if each in missing)
            at = starts[bisect_right(ends, place)]
            raise error(at, f"nothing defines %{used[place]}")

    def _words_of_unknown(self) -> set[int]:
        """The operands, whatever they are, of instructions that nobody knows."""
        words = self._module.words
        return {
            word
            for opcode, at, length in self._module.instructions()
            if spelled(opcode) is None
            for word in words[at + 1 : at + length]
        }

    def _new_shape(self, at: int) -> tuple[int, _Shape]:
        """What to know of instructions that begin as the one at a place."""
        opcode, length = self._module.opcode(at), self._module.end(at) - at
        kinds = spelled(opcode)
        if kinds is None:
            if not self._allow_unknown:
                raise error(at, f"nothing is known of opcode {opcode}")
            return self._shapes.setdefault(self._module.words[at], (_NOTHING, _NO_IDS))
        matters = _what_matters(kinds)
        if matters == _NOTHING or matters >= length:
            known = _NOTHING, self._shape(at, _without_string(kinds))
        else:
            known = matters, _NO_IDS
        self._shapes[self._module.words[at]] = known
        return known

    def _shape_here(self, at: int, matters: int) -> _Shape:
        """The shape of one instruction, which depends on more than how it begins."""
        words, opcode = self._module.words, self._module.opcode(at)
        kinds = spelled(opcode) or ""
        if opcode == SWITCH and self._module.end(at) - at > _SWITCH_WORDS:
            # Cases of one width lie alike, and no number of a decoration is negative.
            key = words[at], -self._case_words(words[at + 1])
            return self._by_value.get(key) or self._by_value.setdefault(key, self._shape(at, kinds))
        shape = self._shape(at, kinds)
        if matters != _EVERYTHING:
            value = words[at + matters]
            behind = after_value(opcode, kinds.rstrip("?")[-1], value, at + matters)
            if not _VARYING.intersection(behind):
                self._by_value[words[at], value] = shape
        return shape

    def _shape(self, at: int, kinds: str) -> _Shape:
        result, singles = 0, list[int]()
        end = rest = self._module.end(at)
        for kind, start, stop in operands(self._module.words, at, kinds, self._case_words):
            if kind == "R":
                result = start - at
            elif kind == "i" and stop == end:
                rest = start
            elif kind in "Ti":
                singles.extend(range(start - at, stop - at))
        return _Shape(result, tuple(singles), rest - at if rest < end else 0)

    def _case_words(self, selector: int) -> int:
        """How many words the numbers of a switch on `selector` have."""
        at = self._definition(selector)
        at = self._definition(self._module.operand(at, 1))
        if self._module.opcode(at) != TYPE_INT:
            raise error(at, "a switch is on what is no integer")
        bits = self._module.operand(at, 2)
        return 2 if bits > _WORD_BITS else 1

    def _definition(self, identifier: int) -> int:
        """The place of the instruction, among those walked over, that defines an id."""
        number = self.index.definitions.get(identifier)
        if number is None:
            at = self._module.starts[len(self.index.ends)]
            raise error(at, f"nothing before this defines %{identifier}")
        return self._module.starts[number]


def _without_string(kinds: str) -> str:
    """A string at the end is as many words as there are, which need not be looked at."""
    before, string, behind = kinds.partition("s")
    assert behind in ("", "?"), "what follows a string matters"
    return f"{before}l*" if string else kinds


def _what_matters(kinds: str) -> int:
    """Which word says, beside opcode and length, where ids lie."""
    varying = _VARYING.intersection(kinds)
    last = kinds.rstrip("?")
    if not varying or (varying == frozenset("s") and last.endswith("s")):
        return _NOTHING
    before = last[:-1]
    if last[-1] in _SELECTING and not (_VARYING | _QUANTIFIERS).intersection(before):
        return len(last)
    return _EVERYTHING
