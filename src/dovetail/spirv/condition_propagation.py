"""Propagates the conditions of functions and calls to everything that only they need."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from dovetail.graphs import components
from dovetail.spirv.annotations import GROUP_TARGETS, SINGLE_TARGET
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
from dovetail.spirv.structure import ModuleStructure

_CALLEE = 3
"""The word of a call with the called function."""
_ANNOTATIONS = frozenset((*SINGLE_TARGET, *GROUP_TARGETS, ENTRY_POINT))
"""Instructions that do not keep the ids that they refer to."""


class ConditionPropagation:
    """The conditions of everything in a module, as numbers of expressions.

    The condition of a function is given, or the disjunction of its callers' conditions. A
    definition outside functions has the disjunction of its users' conditions; so has, in functions,
    a value that is computed only for conditional calls. `specialised` removes these with their
    users, so that remaining code never uses a definition whose condition is false.
    """

    def __init__(
        self,
        structure: ModuleStructure,
        expressions: Expressions,
        disjunctions: Disjunctions,
        functions: Mapping[int, int],
        calls: Mapping[int, int],
        roots: set[int],
    ) -> None:
        """Propagate conditions of functions, and of all calls of a function, given by id.

        `roots` are functions that are needed without being called.
        """
        self._structure = structure
        self._expressions = expressions
        self._disjunctions = disjunctions
        self._calls = _calls_by_caller(structure)
        self.inside = self._only_for_calls(calls)
        """Conditions of instructions in functions that are needed less often than the function."""
        self.functions = self._of_functions(functions, roots)
        """Conditions of all functions, by id."""
        self.by_number = [TRUE] * len(structure.module.starts)
        """Conditions of all instructions; an annotation has the condition of its target."""
        self._users: defaultdict[int, set[int]] = defaultdict(set)
        """The conditions of an id's users."""
        self._walk_functions()
        self._walk_outside()
        self._walk_annotations()

    def outside(self) -> Iterator[tuple[int, int]]:
        """Yield the conditional ids defined outside functions, with their conditions."""
        results = self._structure.index.results
        for number in _outside(self._structure):
            if results[number] and self.by_number[number] != TRUE:
                yield results[number], self.by_number[number]

    def _only_for_calls(self, calls: Mapping[int, int]) -> dict[int, int]:
        """Return the conditions of conditional calls, and of values computed only for them."""
        found: dict[int, int] = {}
        for caller, called in self._calls.items():
            conditions = {
                number: calls[callee]
                for number, callee in called
                if calls.get(callee, TRUE) != TRUE
            }
            if conditions:
                found |= _only_for(conditions, caller, self._structure, self._disjunctions)
        return found

    def _of_functions(self, given: Mapping[int, int], roots: set[int]) -> dict[int, int]:
        """Return the conditions of all functions, including those that LLVM's back-end adds."""
        found = dict.fromkeys(roots | self._used_otherwise(), TRUE) | dict(given)
        callers: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for caller, called in self._calls.items():
            for number, callee in called:
                callers[callee].append((caller, number))
        for component in self._callers_first():
            for function in component:
                if function in found:
                    continue
                # Recursive functions without a given condition are unconditional, to be safe.
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
        """Return the functions with uses other than calls."""
        structure = self._structure
        uses = Counter(filter(structure.functions.__contains__, structure.index.used))
        uses.subtract(callee for called in self._calls.values() for _, callee in called)
        for number, _ in structure.with_opcode(*_ANNOTATIONS):
            uses.subtract(structure.index.uses(number))
        return {function for function, count in uses.items() if count > 0}

    def _callers_first(self) -> Iterator[list[int]]:
        """Yield groups of mutually recursive functions; callers come before their callees."""
        ids = list(self._structure.functions)
        places = {identifier: place for place, identifier in enumerate(ids)}
        successors = [
            [places[callee] for _, callee in self._calls[each] if callee in places] for each in ids
        ]
        for component in reversed(components(successors)):
            yield [ids[place] for place in component]

    def _both(self, left: int, right: int) -> int:
        return self._expressions.conjunction((left, right))

    def _walk_functions(self) -> None:
        """Set the condition of each instruction in a function.

        Record it for the ids defined outside functions that the instruction uses.
        """
        structure = self._structure
        has_own_condition = bytearray(len(self.by_number))
        for number in self.inside:
            has_own_condition[number] = 1
        for function, span in structure.functions.items():
            condition = self.functions[function]
            self.by_number[span.start : span.stop] = [condition] * len(span)
            for run in runs(has_own_condition, 0, span):
                self._use(set(structure.used(run)) & structure.outside, condition)
            for run in runs(has_own_condition, 1, span):
                for number in run:
                    self.by_number[number] = self._both(condition, self.inside[number])
                    self._use(structure.index.uses(number), self.by_number[number])

    def _use(self, identifiers: Iterable[int], condition: int) -> None:
        """Record that instructions under a condition use ids."""
        for identifier in identifiers:
            self._users[identifier].add(condition)

    def _walk_outside(self) -> None:
        """Propagate backwards, since definitions precede uses. Unused ids stay unconditional."""
        structure, words = self._structure, self._structure.module.words
        index, starts = structure.index, structure.module.starts
        for _, offset in structure.with_opcode(TYPE_FORWARD_POINTER):
            self._use((words[offset + 1],), TRUE)
        for number in structure.unknown:
            offset = starts[number]
            self._use(
                structure.outside & set(words[offset + 1 : structure.module.end(offset)]), TRUE
            )
        for number, offset in structure.with_opcode(*SINGLE_TARGET):
            # The other operands of an annotation are constants; those of a function's annotation
            # have the function's condition.
            uses = index.uses(number)
            self._use(uses[1:], self.functions.get(words[offset + 1], TRUE))
        for number in reversed(_outside(structure)):
            opcode, result = words[starts[number]] & 0xFFFF, index.results[number]
            if opcode in _ANNOTATIONS:
                continue
            if result and opcode != TYPE_BOOL and self._users[result]:
                self.by_number[number] = self._disjunctions.of(self._users[result])
            self._use(index.uses(number), self.by_number[number])

    def _walk_annotations(self) -> None:
        """Set the conditions of annotations and entry points: those of their targets."""
        structure, words = self._structure, self._structure.module.words
        definitions = structure.index.definitions
        for opcode in set(SINGLE_TARGET) - {NAME, MEMBER_NAME}:
            for number, offset in structure.with_opcode(opcode):
                if words[offset + 1] in definitions:
                    self.by_number[number] = self.by_number[definitions[words[offset + 1]]]
        for number, offset in structure.with_opcode(ENTRY_POINT):
            self.by_number[number] = self.functions[words[offset + 2]]


def _calls_by_caller(structure: ModuleStructure) -> dict[int, list[tuple[int, int]]]:
    """Return the numbers of calls and the called functions, by caller."""
    found: dict[int, list[tuple[int, int]]] = {function: [] for function in structure.functions}
    functions = iter(structure.functions.items())
    caller, span = 0, range(0)
    for number, offset in structure.with_opcode(FUNCTION_CALL):
        while number >= span.stop:
            caller, span = next(functions)
        found[caller].append((number, structure.module.words[offset + _CALLEE]))
    return found


def _outside(structure: ModuleStructure) -> list[int]:
    """Return the numbers of the instructions outside functions."""
    found: list[int] = []
    previous_end = 0
    for inside in structure.functions.values():
        found += range(previous_end, inside.start)
        previous_end = inside.stop
    return found + list(range(previous_end, len(structure.module.starts)))


def _only_for(
    calls: Mapping[int, int], caller: int, structure: ModuleStructure, disjunctions: Disjunctions
) -> dict[int, int]:
    """Return the conditions of a function's calls, and of values that it computes only for them.

    Definitions precede uses, except for phis in loops, which are not among these values.
    """
    index, span = structure.index, structure.functions[caller]
    computed: set[int] = set()
    pending = [each for call in calls for each in index.uses(call)]
    while pending:
        number = index.definitions.get(pending.pop(), -1)
        if number not in span or number in computed:
            continue
        if is_effectless(structure.module, structure.module.starts[number]):
            computed.add(number)
            pending += index.uses(number)
    others = bytearray(b"\1" * len(span))
    for number in (*calls, *computed):
        others[number - span.start] = 0
    used_always: set[int] = set()
    for run in runs(others, 1, range(len(span))):
        used_always.update(structure.used(span[run.start : run.stop]))
    users: defaultdict[int, set[int]] = defaultdict(set)
    found = dict(calls)
    for number in sorted((*calls, *computed), reverse=True):
        result = index.results[number]
        if number in computed and result not in used_always:
            found[number] = disjunctions.of(users[result])
        for each in index.uses(number):
            users[each].add(found.get(number, TRUE))
    return {number: condition for number, condition in found.items() if condition != TRUE}
