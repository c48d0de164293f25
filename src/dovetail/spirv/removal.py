"""Instructions to take out of a module, and with them everything that only they use."""

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator

from dovetail.spirv.module import Module
from dovetail.spirv.opcodes import LOAD, VARIABLE
from dovetail.spirv.survey import Survey

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
"""The word of a load with the bits of its memory access, if it has them."""


class Removal:
    """Say what leaves and what stays, then `settle`.

    What something that leaves uses is at stake. It stays if something else uses it that is not at
    stake, or that stays. Only what can be left out is ever at stake: what is defined outside of
    functions, whole functions, and results of instructions without effects. So what nothing uses
    from the start is left alone, and types that use each other leave together.

    Ids are looked at in sets, made from arrays at once: a loop over each of them would cost more
    than everything else.
    """

    def __init__(self, survey: Survey, exported: set[int]) -> None:
        """Have ids stay that are exported, although nothing in the module may use them."""
        count = len(survey.module.starts)
        self.gone = bytearray(count)
        """By instruction, whether it leaves."""
        self.needed: set[int] = set()
        """The ids that are used by what stays; before `settle`, only those given here."""
        self._survey = survey
        self._exported = exported
        self._silent = bytearray(count)
        self._removed: list[range] = []
        self._results_removed: set[int] = set()
        self._at_stake: dict[int, range] = {}
        self._released: set[int] = set()
        self._attached: defaultdict[int, set[int]] = defaultdict(set)
        self._instead: dict[int, set[int]] = {}

    def remove(self, numbers: range) -> None:
        """Have instructions leave, a whole function or one, and put at stake what they use."""
        _mark(self.gone, numbers)
        _mark(self._silent, numbers)
        self._removed.append(numbers)
        self._results_removed.add(self._survey.index.results[numbers.start])

    def remove_alone(self, number: int) -> None:
        """Have an instruction leave, and nothing with it."""
        self.gone[number] = self._silent[number] = 1

    def release(self, identifiers: Iterable[int]) -> None:
        """Put ids at stake that something no longer uses."""
        self._released.update(identifiers)

    def ignore(self, number: int) -> None:
        """Have an instruction keep nothing in the module by using it."""
        self._silent[number] = 1

    def attach(self, identifier: int, used: Iterable[int]) -> None:
        """Have ids stay if another one does."""
        self._attached[identifier].update(used)

    def shrink(self, identifier: int, used: set[int]) -> None:
        """Put at stake what becomes simpler if it stays, and then uses only these ids."""
        self._released.add(identifier)
        self._instead[identifier] = used

    def settle(self) -> None:
        """Decide about everything."""
        self._put_at_stake()
        asleep = self._silent[:]
        for numbers in self._at_stake.values():
            if len(numbers) == 1:
                # In a function that stays after all, it is still at stake.
                _mark(self._silent, numbers)
            _mark(asleep, numbers)
        waiting = self.needed | self._used(range(len(asleep)), asleep)
        for identifier, used in self._attached.items():
            if identifier not in self._at_stake and not self.is_gone(identifier):
                waiting |= used
        self.needed = set()
        self._keep(waiting)
        for numbers in self._at_stake.values():
            _mark(self.gone, numbers)

    def is_gone(self, identifier: int) -> bool:
        """Whether what defines an id leaves, as far as is known."""
        numbers = self._survey.span(identifier)
        return numbers is not None and bool(self.gone[numbers.start])

    def gone_ids(self) -> set[int]:
        """What is no longer defined once everything is decided."""
        found: set[int] = set()
        for run in runs(self.gone, 1, range(len(self.gone))):
            found.update(self._survey.index.results[run.start : run.stop])
        found.discard(0)
        return found

    def _put_at_stake(self) -> None:
        survey, at_stake = self._survey, self._at_stake
        waiting = list(self._released)
        for numbers in self._removed:
            waiting += self._may_leave_with(numbers)
        while waiting:
            identifier = waiting.pop()
            if identifier in at_stake or identifier in self._exported:
                continue
            numbers = survey.span(identifier)
            if numbers is None or self.gone[numbers.start]:
                continue
            at = survey.module.starts[numbers.start]
            if identifier in survey.outside or is_effectless(survey.module, at):
                at_stake[identifier] = numbers
                waiting += self._may_leave_with(numbers)

    def _may_leave_with(self, numbers: range) -> set[int]:
        used = set(self._survey.used(numbers))
        # What is defined in a function leaves with it anyway.
        return used if len(numbers) == 1 else used & self._survey.outside

    def _keep(self, waiting: set[int]) -> None:
        """Have ids stay, and what they use."""
        while waiting:
            self.needed |= waiting
            found: set[int] = set()
            for identifier in waiting & self._at_stake.keys():
                numbers = self._at_stake.pop(identifier)
                if identifier in self._instead:
                    found |= self._instead[identifier]
                elif len(numbers) == 1:
                    found.update(self._survey.used(numbers))
                else:
                    found |= self._used(numbers, self._silent)
                found |= self._attached.get(identifier, set())
            waiting = found - self.needed

    def _used(self, numbers: range, left_out: bytearray) -> set[int]:
        """What instructions use, and what those of them may use that nobody knows."""
        survey = self._survey
        found: set[int] = set()
        for run in runs(left_out, 0, numbers):
            found.update(survey.used(run))
        for number in _between(survey.unknown, numbers):
            if not left_out[number]:
                found |= self._may_be_used(number)
        return found

    def _may_be_used(self, number: int) -> set[int]:
        """The operands of an instruction that nobody knows, as far as they can be ids.

        What a function defines is not used in others; so only such of it counts as leaves alone.
        """
        survey, module = self._survey, self._survey.module
        at = module.starts[number]
        words = set(module.words[at + 1 : module.end(at)])
        return (words & survey.outside) | {
            word
            for word in words - survey.outside
            if word in self._at_stake or word in self._results_removed
        }


def runs(marks: bytearray, mark: int, numbers: range) -> Iterator[range]:
    """The longest ranges in `numbers` whose marks are all 0, or all 1."""
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


def is_effectless(module: Module, at: int) -> bool:
    """Whether nothing but its result tells whether an instruction was executed."""
    opcode = module.opcode(at)
    if opcode == LOAD and module.end(at) - at > _LOAD_ACCESS:
        return not module.words[at + _LOAD_ACCESS] & _VOLATILE
    return opcode in _EFFECTLESS
