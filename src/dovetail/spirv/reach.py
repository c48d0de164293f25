"""When each instruction of a module is needed, if functions and calls are only under conditions."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from dovetail.graphs import components
from dovetail.spirv.annotations import ABOUT_MANY_IDS, ABOUT_ONE_ID
from dovetail.spirv.disjunctions import Disjunctions
from dovetail.spirv.expressions import TRUE, Expressions
from dovetail.spirv.opcodes import (
    ENTRY_POINT,
    FUNCTION_CALL,
    MEMBER_NAME,
    NAME,
    TYPE_BOOL,
    TYPE_FORWARD_POINTER,
)
from dovetail.spirv.removal import is_effectless, runs
from dovetail.spirv.survey import Survey

_CALLEE = 3
"""The word of a call with what is called."""
_ABOUT_OTHERS = frozenset((*ABOUT_ONE_ID, *ABOUT_MANY_IDS, ENTRY_POINT))
"""Instructions that keep nothing by being about it."""


class Reach:
    """The conditions, as numbers of expressions, of everything in a module.

    A function's condition is given, or what those of its callers come to. What stands outside of
    functions is needed when anything is that uses it; so is, in functions, what is computed only
    for calls that have a condition. `specialised` has the same leave with those that use it; so
    nothing that stays uses what has a condition here that does not hold.
    """

    def __init__(
        self,
        survey: Survey,
        expressions: Expressions,
        disjunctions: Disjunctions,
        functions: Mapping[int, int],
        calls: Mapping[int, int],
        roots: set[int],
    ) -> None:
        """Take conditions by id: of functions, and of all calls of a function.

        `roots` are functions that are needed although nothing may call them.
        """
        self._survey = survey
        self._expressions = expressions
        self._disjunctions = disjunctions
        self._calls = _calls_by_caller(survey)
        self.inside = self._only_for_calls(calls)
        """By instruction, of what a function needs less often than it is needed itself."""
        self.functions = self._of_functions(functions, roots)
        """By id, of all functions."""
        self.by_number = [TRUE] * len(survey.module.starts)
        """By instruction; of one about an id, such as a decoration, that of the id."""
        self._users: defaultdict[int, set[int]] = defaultdict(set)
        """By id, the conditions of what uses it."""
        self._walk_functions()
        self._walk_outside()
        self._walk_annotations()

    def outside(self) -> Iterator[tuple[int, int]]:
        """The ids outside of functions that are not always needed, with their conditions."""
        results = self._survey.index.results
        for number in _outside(self._survey):
            if results[number] and self.by_number[number] != TRUE:
                yield results[number], self.by_number[number]

    def _only_for_calls(self, calls: Mapping[int, int]) -> dict[int, int]:
        found: dict[int, int] = {}
        for caller, called in self._calls.items():
            conditions = {
                number: calls[callee]
                for number, callee in called
                if calls.get(callee, TRUE) != TRUE
            }
            if conditions:
                found |= _only_for(conditions, caller, self._survey, self._disjunctions)
        return found

    def _of_functions(self, given: Mapping[int, int], roots: set[int]) -> dict[int, int]:
        """All of them. LLVM's back-end adds some of which nobody else knows."""
        found = dict.fromkeys(roots | self._used_otherwise(), TRUE) | dict(given)
        callers: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for caller, called in self._calls.items():
            for number, callee in called:
                callers[callee].append((caller, number))
        for component in self._callers_first():
            for function in component:
                if function in found:
                    continue
                # Those that call each other, and that nobody knows, are there to be safe.
                known = found.keys() >= {caller for caller, _ in callers[function]}
                found[function] = (
                    self._disjunctions.of(
                        self._both(found[caller], self.inside.get(number, TRUE))
                        for caller, number in callers[function]
                    )
                    if known and callers[function]
                    else TRUE
                )
        return found

    def _used_otherwise(self) -> set[int]:
        """Functions that anything but a call uses."""
        survey = self._survey
        uses = Counter(filter(survey.functions.__contains__, survey.index.used))
        uses.subtract(callee for called in self._calls.values() for _, callee in called)
        for number, _ in survey.all_of(*_ABOUT_OTHERS):
            uses.subtract(survey.index.uses(number))
        return {function for function, count in uses.items() if count > 0}

    def _callers_first(self) -> Iterator[list[int]]:
        ids = list(self._survey.functions)
        places = {identifier: place for place, identifier in enumerate(ids)}
        successors = [
            [places[callee] for _, callee in self._calls[each] if callee in places] for each in ids
        ]
        for component in reversed(components(successors)):
            yield [ids[place] for place in component]

    def _both(self, left: int, right: int) -> int:
        return self._expressions.conjunction((left, right))

    def _walk_functions(self) -> None:
        survey = self._survey
        narrow = bytearray(len(self.by_number))
        for number in self.inside:
            narrow[number] = 1
        for function, span in survey.functions.items():
            condition = self.functions[function]
            self.by_number[span.start : span.stop] = [condition] * len(span)
            for run in runs(narrow, 0, span):
                self._use(set(survey.used(run)) & survey.outside, condition)
            for run in runs(narrow, 1, span):
                for number in run:
                    self.by_number[number] = self._both(condition, self.inside[number])
                    self._use(survey.index.uses(number), self.by_number[number])

    def _use(self, identifiers: Iterable[int], condition: int) -> None:
        for identifier in identifiers:
            self._users[identifier].add(condition)

    def _walk_outside(self) -> None:
        """From the end, as what is used is defined before. What nothing uses is left alone."""
        survey, words = self._survey, self._survey.module.words
        index, starts = survey.index, survey.module.starts
        for _, at in survey.all_of(TYPE_FORWARD_POINTER):
            self._use((words[at + 1],), TRUE)
        for number in survey.unknown:
            at = starts[number]
            self._use(survey.outside & set(words[at + 1 : survey.module.end(at)]), TRUE)
        for number, at in survey.all_of(*ABOUT_ONE_ID):
            # An annotation's other ids are those of constants; of a function, these go with it.
            uses = index.uses(number)
            self._use(uses[1:], self.functions.get(words[at + 1], TRUE))
        for number in reversed(_outside(survey)):
            opcode, result = words[starts[number]] & 0xFFFF, index.results[number]
            if opcode in _ABOUT_OTHERS:
                continue
            if result and opcode != TYPE_BOOL and self._users[result]:
                self.by_number[number] = self._disjunctions.of(self._users[result])
            self._use(index.uses(number), self.by_number[number])

    def _walk_annotations(self) -> None:
        survey, words = self._survey, self._survey.module.words
        definitions = survey.index.definitions
        for opcode in set(ABOUT_ONE_ID) - {NAME, MEMBER_NAME}:
            for number, at in survey.all_of(opcode):
                if words[at + 1] in definitions:
                    self.by_number[number] = self.by_number[definitions[words[at + 1]]]
        for number, at in survey.all_of(ENTRY_POINT):
            self.by_number[number] = self.functions[words[at + 2]]


def _calls_by_caller(survey: Survey) -> dict[int, list[tuple[int, int]]]:
    """For each function, the numbers of its calls and what they call."""
    found: dict[int, list[tuple[int, int]]] = {function: [] for function in survey.functions}
    functions = iter(survey.functions.items())
    caller, span = 0, range(0)
    for number, at in survey.all_of(FUNCTION_CALL):
        while number >= span.stop:
            caller, span = next(functions)
        found[caller].append((number, survey.module.words[at + _CALLEE]))
    return found


def _outside(survey: Survey) -> list[int]:
    """The instructions outside of functions."""
    found: list[int] = []
    behind = 0
    for inside in survey.functions.values():
        found += range(behind, inside.start)
        behind = inside.stop
    return found + list(range(behind, len(survey.module.starts)))


def _only_for(
    calls: Mapping[int, int], caller: int, survey: Survey, disjunctions: Disjunctions
) -> dict[int, int]:
    """Calls of a function, and all that it computes for nothing but them, with their conditions.

    What is computed is defined before it is used, but for loops, whose phis are not such.
    """
    index, span = survey.index, survey.functions[caller]
    computed: set[int] = set()
    waiting = [each for call in calls for each in index.uses(call)]
    while waiting:
        number = index.definitions.get(waiting.pop(), -1)
        if number not in span or number in computed:
            continue
        if is_effectless(survey.module, survey.module.starts[number]):
            computed.add(number)
            waiting += index.uses(number)
    others = bytearray(b"\1" * len(span))
    for number in (*calls, *computed):
        others[number - span.start] = 0
    used_always: set[int] = set()
    for run in runs(others, 1, range(len(span))):
        used_always.update(survey.used(span[run.start : run.stop]))
    users: defaultdict[int, set[int]] = defaultdict(set)
    found = dict(calls)
    for number in sorted((*calls, *computed), reverse=True):
        result = index.results[number]
        if number in computed and result not in used_always:
            found[number] = disjunctions.of(users[result])
        for each in index.uses(number):
            users[each].add(found.get(number, TRUE))
    return {number: condition for number, condition in found.items() if condition != TRUE}
