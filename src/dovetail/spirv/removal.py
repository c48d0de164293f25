"""Removal of instructions from a module, with everything that only they use."""

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator

from dovetail.spirv.module import SpirvModule
from dovetail.spirv.opcodes import LOAD, VARIABLE
from dovetail.spirv.structure import ModuleStructure

_UNDEF = 1
_EFFECTLESS = frozenset(
    (
        _UNDEF,
        VARIABLE,
        LOAD,
        *range(65, 71),  # addresses: access chains and the like
        *range(77, 85),  # parts of composites
        *range(109, 125),  # conversions
        *range(126, 206),  # arithmetic, comparisons, choices, bits
        *range(400, 404),  # copies, pointers compared
    )
)
_VOLATILE = 1
_LOAD_ACCESS = 4
"""The optional word of a load with its memory operands."""


class Removal:
    """Collects instructions to remove; `finish` then also removes what only they use.

    Ids that a removed instruction uses are candidates for removal. A candidate is retained if an
    instruction uses it that is neither removed nor a candidate, or that is retained. Only
    definitions outside functions, whole functions, and results of instructions without side
    effects can be candidates. So ids that are unused from the start are retained, and types that
    use each other are removed together.

    Ids are processed as sets, created from array slices: a loop over single ids would dominate the
    time.
    """

    def __init__(self, structure: ModuleStructure, exported: set[int]) -> None:
        """Prepare a module; `exported` ids are retained even without uses."""
        count = len(structure.module.starts)
        self.removed = bytearray(count)
        """By instruction, whether it is removed."""
        self.needed: set[int] = set()
        """The ids that retained instructions use; before `finish`, only ids that callers add."""
        self._structure = structure
        self._exported = exported
        self._ignored = bytearray(count)
        self._removed: list[range] = []
        self._results_removed: set[int] = set()
        self._candidates: dict[int, range] = {}
        self._dropped_uses: set[int] = set()
        self._attached: defaultdict[int, set[int]] = defaultdict(set)
        self._new_uses: dict[int, set[int]] = {}

    def remove(self, numbers: range) -> None:
        """Remove one instruction or a whole function; the ids they use become candidates."""
        _mark(self.removed, numbers)
        _mark(self._ignored, numbers)
        self._removed.append(numbers)
        self._results_removed.add(self._structure.index.results[numbers.start])

    def remove_only(self, number: int) -> None:
        """Remove an instruction, but nothing that it uses."""
        self.removed[number] = self._ignored[number] = 1

    def drop_uses(self, identifiers: Iterable[int]) -> None:
        """Make ids candidates that have lost a use."""
        self._dropped_uses.update(identifiers)

    def ignore_uses(self, number: int) -> None:
        """Do not count the uses in an instruction."""
        self._ignored[number] = 1

    def attach(self, identifier: int, used: Iterable[int]) -> None:
        """Retain the `used` ids if `identifier` is retained."""
        self._attached[identifier].update(used)

    def shrink(self, identifier: int, used: set[int]) -> None:
        """Make an id a candidate whose definition will use only the `used` ids if retained."""
        self._dropped_uses.add(identifier)
        self._new_uses[identifier] = used

    def finish(self) -> None:
        """Determine all instructions to remove."""
        self._collect_candidates()
        ignored = self._ignored[:]
        for numbers in self._candidates.values():
            if len(numbers) == 1:
                # It remains a candidate if the function around it is retained.
                _mark(self._ignored, numbers)
            _mark(ignored, numbers)
        pending = self.needed | self._used(range(len(ignored)), ignored)
        for identifier, used in self._attached.items():
            if identifier not in self._candidates and not self.is_removed(identifier):
                pending |= used
        self.needed = set()
        self._retain(pending)
        for numbers in self._candidates.values():
            _mark(self.removed, numbers)

    def is_removed(self, identifier: int) -> bool:
        """Return whether the definition of an id is removed, as far as it is determined."""
        numbers = self._structure.span(identifier)
        return numbers is not None and bool(self.removed[numbers.start])

    def removed_ids(self) -> set[int]:
        """Return the ids without a definition, after `finish`."""
        found: set[int] = set()
        for run in runs(self.removed, 1, range(len(self.removed))):
            found.update(self._structure.index.results[run.start : run.stop])
        found.discard(0)
        return found

    def _collect_candidates(self) -> None:
        """Collect what only removed instructions may use, directly or through others."""
        structure, candidates = self._structure, self._candidates
        pending = list(self._dropped_uses)
        for numbers in self._removed:
            pending += self._candidate_uses(numbers)
        while pending:
            identifier = pending.pop()
            if identifier in candidates or identifier in self._exported:
                continue
            numbers = structure.span(identifier)
            if numbers is None or self.removed[numbers.start]:
                continue
            offset = structure.module.starts[numbers.start]
            if identifier in structure.outside or is_effectless(structure.module, offset):
                candidates[identifier] = numbers
                pending += self._candidate_uses(numbers)

    def _candidate_uses(self, numbers: range) -> set[int]:
        used = set(self._structure.used(numbers))
        # Definitions in a function are removed with it.
        return used if len(numbers) == 1 else used & self._structure.outside

    def _retain(self, pending: set[int]) -> None:
        """Retain ids and everything that they use."""
        while pending:
            self.needed |= pending
            found: set[int] = set()
            for identifier in pending & self._candidates.keys():
                numbers = self._candidates.pop(identifier)
                if identifier in self._new_uses:
                    found |= self._new_uses[identifier]
                elif len(numbers) == 1:
                    found.update(self._structure.used(numbers))
                else:
                    found |= self._used(numbers, self._ignored)
                found |= self._attached.get(identifier, set())
            pending = found - self.needed

    def _used(self, numbers: range, ignored: bytearray) -> set[int]:
        """Return the ids that instructions use, and those that unknown ones may use."""
        structure = self._structure
        found: set[int] = set()
        for run in runs(ignored, 0, numbers):
            found.update(structure.used(run))
        for number in _between(structure.unknown, numbers):
            if not ignored[number]:
                found |= self._may_be_used(number)
        return found

    def _may_be_used(self, number: int) -> set[int]:
        """Return the operands of an unknown instruction that can be ids.

        Ids defined in functions count only if they can be removed without their function.
        """
        structure, module = self._structure, self._structure.module
        offset = module.starts[number]
        words = set(module.words[offset + 1 : module.end(offset)])
        return (words & structure.outside) | {
            word
            for word in words - structure.outside
            if word in self._candidates or word in self._results_removed
        }


def runs(marks: bytearray, mark: int, numbers: range) -> Iterator[range]:
    """Yield the maximal ranges in `numbers` whose marks all equal `mark` (0 or 1)."""
    start = marks.find(mark, numbers.start, numbers.stop)
    while start >= 0:
        stop = marks.find(1 - mark, start, numbers.stop)
        stop = numbers.stop if stop < 0 else stop
        yield range(start, stop)
        start = marks.find(mark, stop, numbers.stop)


def _mark(marks: bytearray, numbers: range) -> None:
    marks[numbers.start : numbers.stop] = b"\1" * len(numbers)


def _between(ordered: "array[int]", numbers: range) -> "array[int]":
    return ordered[bisect_left(ordered, numbers.start) : bisect_left(ordered, numbers.stop)]


def is_effectless(module: SpirvModule, offset: int) -> bool:
    """Return whether an instruction has no side effects."""
    opcode = module.opcode(offset)
    if opcode == LOAD and module.end(offset) - offset > _LOAD_ACCESS:
        return not module.words[offset + _LOAD_ACCESS] & _VOLATILE
    return opcode in _EFFECTLESS
