"""Conditions added to arbitrary call graphs, specialized, against direct evaluation."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import count

from fuzz.modules import module_of
from hypothesis import given, strategies as st

from dovetail.spirv import SpirvModule, index_ids, instruction
from dovetail.spirv.conditional import conditional
from dovetail.spirv.expressions import FALSE, FIRST_SPEC_ID, TRUE, Expressions
from dovetail.spirv.opcodes import LOGICAL_AND, LOGICAL_NOT
from dovetail.spirv.specialise import specialised
from dovetail.spirv_validator import validation_error

LEAVES = 3

SCALARS = ((22, 64), (22, 16), (21, 64), (21, 16), (21, 8))
"""`OpTypeFloat` and `OpTypeInt` with their widths."""
CAPABILITIES = (10, 9, 11, 22, 39)
"""The requirements of each type."""

Values = tuple[bool, ...]


@dataclass(frozen=True)
class Function:
    """A function that calls only later ones."""

    is_kernel: bool
    own: int
    """The condition under which it is a kernel."""
    gate: int
    """The condition of all calls of it."""
    calls: tuple[int, ...]
    types: frozenset[int]
    """The program's types that it uses."""
    is_listed: bool
    """Whether its condition is given, although it could be derived."""


@dataclass(frozen=True)
class Program:
    expressions: Expressions
    functions: list[Function]
    types: list[frozenset[int]]
    """The element types of each type; scalars come first."""

    @property
    def called(self) -> set[int]:
        return {callee for each in self.functions for callee in each.calls}

    def is_root(self, number: int) -> bool:
        return self.functions[number].is_kernel or number not in self.called

    def holds(self, condition: int, leaves: Values) -> bool:
        if condition in (TRUE, FALSE):
            return condition == TRUE
        operation, operands = self.expressions.nodes[condition]
        if not operation:
            return leaves[operands[0] - FIRST_SPEC_ID]
        values = [self.holds(each, leaves) for each in operands]
        if operation == LOGICAL_NOT:
            return not values[0]
        return all(values) if operation == LOGICAL_AND else any(values)

    def conditions(self) -> list[int]:
        """Return the condition of each function, as post-link computes them."""
        new = self.expressions
        reached: list[list[int]] = [[] for _ in self.functions]
        found: list[int] = []
        for number, function in enumerate(self.functions):
            if self.is_root(number):
                reached[number].append(function.own if function.is_kernel else TRUE)
            gate = TRUE if self.is_root(number) else function.gate
            found.append(new.conjunction((new.disjunction(reached[number]), gate)))
            for callee in function.calls:
                call = TRUE if self.is_root(callee) else self.functions[callee].gate
                reached[callee].append(new.conjunction((found[number], call)))
        return found

    def is_called(self, callee: int, leaves: Values) -> bool:
        return self.is_root(callee) or self.holds(self.functions[callee].gate, leaves)

    def functions_left(self, conditions: list[int], leaves: Values) -> set[int]:
        return {n for n, each in enumerate(conditions) if self.holds(each, leaves)}

    def types_left(self, functions: set[int]) -> set[int]:
        """Return used types, and types that were unused from the start."""
        used = frozenset[int]().union(*self.types, *(each.types for each in self.functions))
        waiting = set(range(len(self.types))) - used
        waiting |= frozenset[int]().union(*(self.functions[each].types for each in functions))
        found: set[int] = set()
        while waiting:
            each = waiting.pop()
            found.add(each)
            waiting |= self.types[each] - found
        return found


@st.composite
def programs(draw: st.DrawFn) -> Program:
    expressions = Expressions()
    leaves = [expressions.constant(FIRST_SPEC_ID + leaf) for leaf in range(LEAVES)]
    conditions = st.just(TRUE) | st.recursive(
        st.sampled_from(leaves),
        lambda inner: (
            inner.map(expressions.negation)
            | st.lists(inner, min_size=2, max_size=3).map(expressions.conjunction)
            | st.lists(inner, min_size=2, max_size=3).map(expressions.disjunction)
        ),
        max_leaves=4,
    )
    size = draw(st.integers(1, 7))
    types = [frozenset[int]() for _ in SCALARS]
    for _ in range(draw(st.integers(0, 4))):
        types.append(draw(st.frozensets(st.integers(0, len(types) - 1), min_size=1, max_size=3)))
    some_types = st.frozensets(st.integers(0, len(types) - 1), max_size=3)
    functions = [
        Function(
            draw(st.booleans()),
            draw(conditions),
            draw(conditions),
            tuple(draw(st.lists(st.integers(number + 1, size - 1), max_size=4)))
            if number + 1 < size
            else (),
            draw(some_types),
            draw(st.booleans()),
        )
        for number in range(size)
    ]
    return Program(expressions, functions, types)


class Written:
    """A program as a module with conditions."""

    def __init__(self, program: Program) -> None:
        ids = count(1)
        void, signature = next(ids), next(ids)
        self.functions = [next(ids) for _ in program.functions]
        self.types = [next(ids) for _ in program.types]
        self.calls: list[tuple[int, int, int]] = []
        """The caller, id and callee of each call."""
        bodies: list[array[int]] = []
        for number, function in enumerate(program.functions):
            bodies.append(instruction(54, void, self.functions[number], 0, signature))
            bodies.append(instruction(248, next(ids)))
            bodies += (instruction(1, self.types[each], next(ids)) for each in function.types)
            for callee in function.calls:
                self.calls.append((number, next(ids), callee))
                bodies.append(instruction(57, void, self.calls[-1][1], self.functions[callee]))
            bodies += instruction(253), instruction(56)
        kernels = [n for n, each in enumerate(program.functions) if each.is_kernel]
        others = set(range(len(program.functions))) - set(kernels)
        exported = [n for n in others if program.is_root(n)]
        plain = module_of(
            *(instruction(17, each) for each in (4, 5, 6, *CAPABILITIES)),
            instruction(14, 2, 2),
            *(instruction(15, 6, self.functions[n], f"f{n}") for n in kernels),
            *(instruction(5, self.functions[n], f"f{n}") for n in others),
            *(instruction(71, self.functions[n], 41, f"f{n}", 0) for n in exported),
            instruction(19, void),
            instruction(33, signature, void),
            *(self._type(program, number) for number in range(len(self.types))),
            *bodies,
            bound=next(ids),
        )
        self.conditions = program.conditions()
        self.module = conditional(
            SpirvModule.read(plain),
            program.expressions,
            {
                f"f{number}": condition
                for number, condition in enumerate(self.conditions)
                if condition != TRUE and (program.functions[number].is_listed or number in kernels)
            },
            {
                f"f{number}": function.gate
                for number, function in enumerate(program.functions)
                if not program.is_root(number)
            },
        )

    def _type(self, program: Program, number: int) -> array[int]:
        if number < len(SCALARS):
            opcode, width = SCALARS[number]
            return instruction(opcode, self.types[number], width, *([0] if opcode == 21 else []))
        return instruction(30, self.types[number], *(self.types[n] for n in program.types[number]))


def specialised_for(written: Written, leaves: Values) -> SpirvModule:
    values = {FIRST_SPEC_ID + leaf: value for leaf, value in enumerate(leaves)}
    return specialised(written.module, values)


def capabilities_of(module: SpirvModule) -> set[int]:
    return {module.operand(at, 1) for opcode, at, _ in module.instructions() if opcode == 17}


@given(programs(), st.tuples(*[st.booleans()] * LEAVES))
def test_against_direct_evaluation(program: Program, leaves: Values) -> None:
    written = Written(program)
    module = specialised_for(written, leaves)
    # Fails if an id is used but not defined.
    ids = index_ids(module).definitions.keys()
    left = program.functions_left(written.conditions, leaves)
    assert {number for number, each in enumerate(written.functions) if each in ids} == left
    assert {call for _, call, _ in written.calls if call in ids} == {
        call
        for caller, call, callee in written.calls
        if caller in left and program.is_called(callee, leaves)
    }
    types = program.types_left(left)
    assert {number for number, each in enumerate(written.types) if each in ids} == types
    needed = {each for number, each in enumerate(CAPABILITIES) if number in types}
    assert capabilities_of(module) == {4, 5, 6} | needed
    entries = {module.operand(at, 2) for opcode, at, _ in module.instructions() if opcode == 15}
    assert entries == {
        written.functions[number] for number in left if program.functions[number].is_kernel
    }


@given(programs())
def test_constants_are_unique(program: Program) -> None:
    module = Written(program).module
    constants = [
        module.words[at + 3 : at + length]
        for opcode, at, length in module.instructions()
        if opcode == 52
    ]
    assert len(constants) == len({bytes(each) for each in constants})
    spec_ids = [
        module.operand(at, 3)
        for opcode, at, _ in module.instructions()
        if opcode == 71 and module.operand(at, 2) == 1
    ]
    assert len(spec_ids) == len(set(spec_ids))


def test_a_sample_is_valid() -> None:
    """Validate one of these programs with all features."""
    expressions = Expressions()
    x, y = (expressions.constant(FIRST_SPEC_ID + leaf) for leaf in range(2))
    both, either = expressions.conjunction((x, y)), expressions.disjunction((x, y))
    program = Program(
        expressions,
        [
            Function(True, TRUE, TRUE, (2, 3), frozenset({3}), True),
            Function(True, either, TRUE, (3,), frozenset({0, 5}), True),
            Function(False, TRUE, both, (3,), frozenset({1, 6}), True),
            Function(False, TRUE, expressions.negation(x), (), frozenset({2}), False),
        ],
        [*(frozenset[int]() for _ in SCALARS), frozenset({0, 2}), frozenset({1, 5})],
    )
    written = Written(program)
    for number in range(1 << LEAVES):
        leaves = tuple(bool(number >> leaf & 1) for leaf in range(LEAVES))
        assert not validation_error(specialised_for(written, leaves).to_bytes())
