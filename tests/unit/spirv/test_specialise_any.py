"""Whatever calls what under which conditions: specialised modules against direct evaluation."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from itertools import count

from fuzz.modules import module_of
from hypothesis import given
from hypothesis import strategies as st

from dovetail.spirv import Module, index_ids, instruction, specialised
from dovetail.spirv_validator import complaint_about

LEAVES = range(3)
FIRST_SPEC_ID = 500

Expression = tuple["str | Expression | int", ...]
"""("leaf", number), ("not", a), ("and", a, b), ("or", a, b), or () for what always holds."""


def holds(expression: Expression, leaves: tuple[bool, ...]) -> bool:
    match expression:
        case ():
            return True
        case ("leaf", int(number)):
            return leaves[number]
        case ("not", tuple(a)):
            return not holds(a, leaves)
        case ("and", tuple(a), tuple(b)):
            return holds(a, leaves) and holds(b, leaves)
        case ("or", tuple(a), tuple(b)):
            return holds(a, leaves) or holds(b, leaves)
        case _:
            raise AssertionError(expression)


def both(left: Expression, right: Expression) -> Expression:
    return ("and", left, right) if left and right else left or right


def either(left: Expression, right: Expression) -> Expression:
    return ("or", left, right) if left and right else ()


@dataclass
class Function:
    """One that calls only such that come behind it."""

    is_kernel: bool
    has_conditional_entry: bool
    is_decorated: bool
    own: Expression
    """Under which it is a kernel."""
    calls: list[tuple[int, Expression]]
    types: set[int]
    """Which of the program's types it has values of."""


@dataclass
class Program:
    functions: list[Function]
    types: list[set[int]]
    """Of which others each of the types is made."""
    called: set[int] = field(init=False)

    def __post_init__(self) -> None:
        self.called = {callee for each in self.functions for callee, _ in each.calls}

    def is_root(self, number: int) -> bool:
        return self.functions[number].is_kernel or number not in self.called

    def conditions(self) -> list[Expression]:
        """Of each function, as post-link finds them: what its callers' are, or its own."""
        found: list[Expression | None] = [None] * len(self.functions)
        for number, function in enumerate(self.functions):
            if self.is_root(number):
                mine = function.own if function.is_kernel else ()
                before = found[number]
                found[number] = mine if before is None else either(before, mine)
            condition = found[number]
            assert condition is not None
            for callee, call in function.calls:
                reached = both(condition, call)
                before = found[callee]
                found[callee] = reached if before is None else either(before, reached)
        return [each for each in found if each is not None]

    def left(self, leaves: tuple[bool, ...]) -> set[int]:
        """The functions that are reached, straight from the meaning."""
        found: set[int] = set()
        for number, function in enumerate(self.functions):
            own = function.own if function.is_kernel else ()
            if (self.is_root(number) and holds(own, leaves)) or number in found:
                found.add(number)
                found |= {callee for callee, call in function.calls if holds(call, leaves)}
        return found

    def types_left(self, functions: set[int]) -> set[int]:
        used = set[int]().union(*self.types, *(each.types for each in self.functions))
        waiting = set(range(len(self.types))) - used
        waiting |= set[int]().union(*(self.functions[each].types for each in functions))
        found: set[int] = set()
        while waiting:
            each = waiting.pop()
            found.add(each)
            waiting |= self.types[each] - found
        return found


@st.composite
def programs(draw: st.DrawFn) -> Program:
    leaf = st.builds(lambda number: ("leaf", number), st.sampled_from(LEAVES))
    expressions: st.SearchStrategy[Expression] = st.recursive(
        leaf,
        lambda inner: st.builds(lambda a: ("not", a), inner)
        | st.builds(lambda name, a, b: (name, a, b), st.sampled_from(("and", "or")), inner, inner),
        max_leaves=4,
    )
    conditions = st.just(()) | expressions
    size, type_count = draw(st.integers(1, 7)), draw(st.integers(1, 6))
    subsets = [st.sets(st.integers(0, each - 1)) if each else st.just(set()) for each in range(7)]
    types = [draw(subsets[number]) for number in range(type_count)]
    functions = [
        Function(
            draw(st.booleans()),
            draw(st.booleans()),
            draw(st.booleans()),
            draw(conditions),
            draw(st.lists(st.tuples(st.integers(number + 1, size - 1), conditions), max_size=4))
            if number + 1 < size
            else [],
            draw(subsets[type_count]),
        )
        for number in range(size)
    ]
    return Program(functions, types)


class Written:
    """A program as a module."""

    def __init__(self, program: Program) -> None:
        ids = count(1)
        self._new = lambda: next(ids)
        self._void, self._bool, self._int, self._signature = (next(ids) for _ in range(4))
        self.functions = [next(ids) for _ in program.functions]
        self.types = [next(ids) for _ in program.types]
        self.calls: list[tuple[int, int, Expression]] = []
        """Caller, id and condition."""
        self._conditions: dict[Expression, int] = {}
        self._entries: list[array[int]] = []
        self._decorations: list[array[int]] = []
        self._constants: list[array[int]] = []
        bodies = [self._function(program, number) for number in range(len(self.functions))]
        self.module = Module.read(
            module_of(
                *(instruction(17, each) for each in (4, 6, 6245)),
                instruction(10, "SPV_INTEL_function_variants"),
                instruction(14, 2, 2),
                *self._entries,
                *self._decorations,
                instruction(19, self._void),
                instruction(20, self._bool),
                instruction(21, self._int, 32, 0),
                instruction(33, self._signature, self._void),
                *self._constants,
                *(
                    instruction(30, self.types[number], self._int, *map(self.types.__getitem__, of))
                    for number, of in enumerate(program.types)
                ),
                *(each for body in bodies for each in body),
                bound=self._new(),
            )
        )

    def _function(self, program: Program, number: int) -> list[array[int]]:
        function, me = program.functions[number], self.functions[number]
        condition = program.conditions()[number]
        if function.is_kernel:
            entry = (6, me, f"kernel {number}")
            if function.has_conditional_entry and function.own:
                self._entries.append(instruction(6249, self._condition(function.own), *entry))
            else:
                self._entries.append(instruction(15, *entry))
        # Who is not decorated leaves when nothing is left that calls it, unless it is a kernel.
        if condition and (function.is_decorated or function.is_kernel):
            self._decorate(me, condition)
        body = [instruction(54, self._void, me, 0, self._signature), instruction(248, self._new())]
        body += [instruction(1, self.types[each], self._new()) for each in function.types]
        for callee, call_condition in function.calls:
            call = self._new()
            self.calls.append((number, call, call_condition))
            if call_condition:
                self._decorate(call, call_condition)
            body.append(instruction(57, self._void, call, self.functions[callee]))
        return [*body, instruction(253), instruction(56)]

    def _decorate(self, target: int, condition: Expression) -> None:
        self._decorations.append(instruction(71, target, 6247, self._condition(condition)))

    def _condition(self, expression: Expression) -> int:
        if expression in self._conditions:
            return self._conditions[expression]
        name, *parts = expression
        operands = [self._condition(each) for each in parts if isinstance(each, tuple)]
        new = self._conditions[expression] = self._new()
        if name == "leaf":
            number = parts[0]
            assert isinstance(number, int)
            self._decorations.append(instruction(71, new, 1, FIRST_SPEC_ID + number))
            self._constants.append(instruction(49, self._bool, new))
        else:
            opcode = {"or": 166, "and": 167, "not": 168}[str(name)]
            self._constants.append(instruction(52, self._bool, new, opcode, *operands))
        return new


def specialised_for(written: Written, leaves: tuple[bool, ...]) -> Module:
    values = {FIRST_SPEC_ID + number: value for number, value in enumerate(leaves)}
    return specialised(written.module, values)


@given(programs(), st.tuples(st.booleans(), st.booleans(), st.booleans()))
def test_against_direct_evaluation(program: Program, leaves: tuple[bool, ...]) -> None:
    written = Written(program)
    module = specialised_for(written, leaves)
    # This refuses a module in which anything uses an id that nothing defines.
    ids = index_ids(module).definitions.keys()
    left = program.left(leaves)
    assert {number for number, each in enumerate(written.functions) if each in ids} == left
    assert {call for _, call, _ in written.calls if call in ids} == {
        call
        for caller, call, condition in written.calls
        if caller in left and holds(condition, leaves)
    }
    kept_types = {number for number, each in enumerate(written.types) if each in ids}
    assert kept_types == program.types_left(left)
    _assert_plain(module)
    entries = {module.operand(at, 2) for opcode, at, _ in module.instructions() if opcode == 15}
    assert entries == {
        written.functions[number]
        for number in left
        if (function := program.functions[number]).is_kernel
        and not (function.has_conditional_entry and not holds(function.own, leaves))
    }


def _assert_plain(module: Module) -> None:
    conditional = {6248, 6249, 6250, 48, 49, 52}
    assert conditional.isdisjoint(opcode for opcode, _, _ in module.instructions())
    for opcode, at, _ in module.instructions():
        assert opcode != 71
        assert opcode != 17 or module.operand(at, 1) != 6245


def test_the_validator_is_content_with_such() -> None:
    """One that has everything, of those above."""
    x, y = ("leaf", 0), ("leaf", 1)
    program = Program(
        [
            Function(True, False, True, (), [(2, ("and", x, y)), (2, ("not", x))], {0}),
            Function(True, True, True, ("or", x, ("not", y)), [(2, ()), (3, ())], {1}),
            Function(False, False, True, (), [(3, ())], {1}),
            Function(False, False, False, (), [], {2}),
        ],
        [set(), {0}, set(), {1}],
    )
    for leaves in ((False, False, False), (False, True, False), (True, False, False)):
        assert not complaint_about(specialised_for(Written(program), leaves).to_bytes())
