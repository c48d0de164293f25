"""Specialized modules of arbitrary call graphs and conditions, against direct evaluation."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from functools import reduce
from itertools import count

from fuzz.modules import module_of
from hypothesis import given, strategies as st

from dovetail.spirv import SpirvModule, index_ids, instruction
from dovetail.spirv.specialise import specialised
from dovetail.spirv_validator import validation_error

LEAVES = range(3)
FIRST_SPEC_ID = 500


@dataclass(frozen=True)
class Expression:
    """A leaf, or an operation over other expressions."""

    opcode: int
    """`OpLogicalOr`, `OpLogicalAnd` or `OpLogicalNot`; 0 for a leaf."""
    operands: tuple[Expression, ...] = ()
    leaf: int = 0


OR, AND, NOT = 166, 167, 168

Condition = Expression | None
"""None means unconditional."""


def holds(condition: Condition, leaves: tuple[bool, ...]) -> bool:
    if condition is None:
        return True
    values = [holds(each, leaves) for each in condition.operands]
    match condition.opcode:
        case 166:
            return any(values)
        case 167:
            return all(values)
        case 168:
            return not values[0]
        case _:
            return leaves[condition.leaf]


def both(left: Condition, right: Condition) -> Condition:
    return Expression(AND, (left, right)) if left and right else left or right


def either(left: Condition, right: Condition) -> Condition:
    return Expression(OR, (left, right)) if left and right else None


@dataclass
class Function:
    """A function that calls only later ones."""

    is_kernel: bool
    has_conditional_entry: bool
    is_decorated: bool
    own: Condition
    """The condition under which it is a kernel."""
    calls: list[tuple[int, Condition]]
    types: set[int]
    """The program's types that it uses."""


@dataclass
class Program:
    functions: list[Function]
    types: list[set[int]]
    """The element types of each type."""
    called: set[int] = field(init=False)

    def __post_init__(self) -> None:
        self.called = {callee for each in self.functions for callee, _ in each.calls}

    def is_root(self, number: int) -> bool:
        return self.functions[number].is_kernel or number not in self.called

    def conditions(self) -> list[Condition]:
        """Return the condition of each function, as post-link computes them."""
        reached: list[list[Condition]] = [[] for _ in self.functions]
        found: list[Condition] = []
        for number, function in enumerate(self.functions):
            if self.is_root(number):
                reached[number].append(function.own if function.is_kernel else None)
            condition = reduce(either, reached[number])
            found.append(condition)
            for callee, call in function.calls:
                reached[callee].append(both(condition, call))
        return found

    def left(self, leaves: tuple[bool, ...]) -> set[int]:
        """Return the reached functions, by direct evaluation."""
        found: set[int] = set()
        for number, function in enumerate(self.functions):
            own = function.own if function.is_kernel else None
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


def _negated(inner: Expression) -> Expression:
    return Expression(NOT, (inner,))


def _joined(opcode: int, left: Expression, right: Expression) -> Expression:
    return Expression(opcode, (left, right))


def _conditions() -> st.SearchStrategy[Condition]:
    leaves = st.builds(Expression, st.just(0), st.just(()), st.sampled_from(LEAVES))
    return st.none() | st.recursive(
        leaves,
        lambda inner: (
            st.builds(_negated, inner)
            | st.builds(_joined, st.sampled_from((OR, AND)), inner, inner)
        ),
        max_leaves=4,
    )


def _some_below(limit: int) -> st.SearchStrategy[set[int]]:
    return st.sets(st.integers(0, limit - 1)) if limit else st.builds(set[int])


@st.composite
def programs(draw: st.DrawFn) -> Program:
    conditions = _conditions()
    size, type_count = draw(st.integers(1, 7)), draw(st.integers(1, 6))
    types = [draw(_some_below(number)) for number in range(type_count)]
    functions = [
        Function(
            draw(st.booleans()),
            draw(st.booleans()),
            draw(st.booleans()),
            draw(conditions),
            draw(st.lists(st.tuples(st.integers(number + 1, size - 1), conditions), max_size=4))
            if number + 1 < size
            else [],
            draw(_some_below(type_count)),
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
        self.calls: list[tuple[int, int, Condition]] = []
        """The caller, id and condition of each call."""
        self._conditions: dict[Expression, int] = {}
        self._entries: list[array[int]] = []
        self._decorations: list[array[int]] = []
        self._constants: list[array[int]] = []
        bodies = [self._function(program, number) for number in range(len(self.functions))]
        self.module = SpirvModule.read(
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
        # An undecorated function is removed when it has no callers left, unless it is a kernel.
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
        operands = [self._condition(each) for each in expression.operands]
        new = self._conditions[expression] = self._new()
        if expression.opcode:
            self._constants.append(instruction(52, self._bool, new, expression.opcode, *operands))
        else:
            spec_id = FIRST_SPEC_ID + expression.leaf
            self._decorations.append(instruction(71, new, 1, spec_id))
            self._constants.append(instruction(49, self._bool, new))
        return new


def specialised_for(written: Written, leaves: tuple[bool, ...]) -> SpirvModule:
    values = {FIRST_SPEC_ID + number: value for number, value in enumerate(leaves)}
    return specialised(written.module, values)


@given(programs(), st.tuples(st.booleans(), st.booleans(), st.booleans()))
def test_against_direct_evaluation(program: Program, leaves: tuple[bool, ...]) -> None:
    written = Written(program)
    module = specialised_for(written, leaves)
    # Fails if an id is used but not defined.
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


def _assert_plain(module: SpirvModule) -> None:
    conditional = {6248, 6249, 6250, 48, 49, 52}
    assert conditional.isdisjoint(opcode for opcode, _, _ in module.instructions())
    for opcode, at, _ in module.instructions():
        assert opcode != 71
        assert opcode != 17 or module.operand(at, 1) != 6245


def test_a_sample_is_valid() -> None:
    """Validate one of these programs with all features."""
    x, y = Expression(0, leaf=0), Expression(0, leaf=1)
    program = Program(
        [
            Function(True, False, True, None, [(2, both(x, y)), (2, _negated(x))], {0}),
            Function(True, True, True, either(x, _negated(y)), [(2, None), (3, None)], {1}),
            Function(False, False, True, None, [(3, None)], {1}),
            Function(False, False, False, None, [], {2}),
        ],
        [set(), {0}, set(), {1}],
    )
    for leaves in ((False, False, False), (False, True, False), (True, False, False)):
        assert not validation_error(specialised_for(Written(program), leaves).to_bytes())
