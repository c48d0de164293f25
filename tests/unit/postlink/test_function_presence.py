"""Presence conditions of functions, compared with a search of the call graph."""

from dataclasses import dataclass
from itertools import product

from expression_values import values_of
from hypothesis import given, strategies as st

from dovetail.graphs import from_bits, gather, reachable
from dovetail.postlink.function_presence import PresenceConditions, presence_expressions
from dovetail.spirv.expressions import TRUE, Expressions

CHAIN = 20_000
"""More functions than Python's recursion limit."""


@dataclass(frozen=True)
class Program:
    """Functions by number, with calls from lower to higher numbers unless there are cycles."""

    count: int
    edges: list[tuple[int, int]]
    roots: dict[int, frozenset[int]]
    """The constants that must be true for an entry point to be present."""
    guards: dict[int, frozenset[int]]

    def expressions(self) -> tuple[Expressions, list[int]]:
        """Return the expressions; the first ones are the constants, with the same numbers."""
        expressions = Expressions()
        for constant in range(CONSTANTS):
            assert expressions.constant(constant) == constant
        all_of = expressions.conjunction
        given = PresenceConditions(
            {node: all_of(each) for node, each in self.roots.items()},
            {node: all_of(each) for node, each in self.guards.items()},
        )
        sources, targets = [s for s, _ in self.edges], [t for _, t in self.edges]
        return expressions, presence_expressions(expressions, given, self.count, sources, targets)

    def present(self, true: frozenset[int]) -> set[int]:
        """Return the functions reachable from present entry points through guards that hold."""
        edges = [e for e in self.edges if self.guards.get(e[1], frozenset()) <= true]
        open_edges = successors(self.count, edges)
        return reachable(
            (node for node, needed in self.roots.items() if needed <= true), open_edges
        )


CONSTANTS = 4
assignments = [
    frozenset(n for n, value in enumerate(values) if value)
    for values in product((False, True), repeat=CONSTANTS)
]


@st.composite
def programs(draw: st.DrawFn, *, with_cycles: bool) -> Program:
    count = draw(st.integers(1, 8))
    nodes = st.integers(0, count - 1)
    drawn = draw(st.lists(st.tuples(nodes, nodes), max_size=16))
    edges = drawn if with_cycles else [(min(e), max(e)) for e in drawn if e[0] != e[1]]
    some = st.frozensets(st.integers(0, CONSTANTS - 1), max_size=3)
    called = {target for _, target in edges}
    guards = draw(st.dictionaries(nodes, some.filter(bool), max_size=4))
    guards = {node: guard for node, guard in guards.items() if node in called}
    # Functions without callers are entry points; others without a guard may be.
    roots = {
        node: draw(some)
        for node in range(count)
        if node not in guards and (node not in called or draw(st.booleans()))
    }
    # An image contains only reachable functions.
    entered = reachable(roots, successors(count, edges))
    return Program(count, [e for e in edges if e[0] in entered], roots, guards)


def successors(count: int, edges: list[tuple[int, int]]) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(count)]
    for source, target in edges:
        found[source].append(target)
    return found


@given(programs(with_cycles=False))
def test_a_function_is_present_if_a_path_leads_to_it(program: Program) -> None:
    entered = reachable(program.roots, successors(program.count, program.edges))
    expressions, found = program.expressions()
    for true in assignments:
        values = values_of(expressions, true)
        present = {node for node in entered if values[found[node]]}
        assert present == program.present(true)


@given(programs(with_cycles=True))
def test_cycles_are_present_if_they_are_called(program: Program) -> None:
    """Perhaps more often, but present functions have all their callees, and guards hold."""
    entered = reachable(program.roots, successors(program.count, program.edges))
    expressions, found = program.expressions()
    for true in assignments:
        values = values_of(expressions, true)
        present = {node for node in entered if values[found[node]]}
        assert present >= program.present(true)
        assert all(guard <= true for node, guard in program.guards.items() if node in present)
        for source, target in program.edges:
            is_open = program.guards.get(target, frozenset()) <= true
            assert source not in present or not is_open or target in present


@given(programs(with_cycles=True), st.data())
def test_present_functions_use_only_available_features(
    program: Program, data: st.DataObject
) -> None:
    """Entry points and guards require all that is used through unguarded calls."""
    bits = st.integers(0, (1 << CONSTANTS) - 1)
    own = data.draw(st.lists(bits, min_size=program.count, max_size=program.count))
    plain = [(s, t) for s, t in program.edges if t not in program.guards]
    used = [
        frozenset(from_bits(each))
        for each in gather(own, [s for s, _ in plain], [t for _, t in plain])
    ]
    program = Program(
        program.count,
        program.edges,
        {node: used[node] for node in program.roots},
        {node: guard | used[node] for node, guard in program.guards.items()},
    )
    entered = reachable(program.roots, successors(program.count, program.edges))
    expressions, found = program.expressions()
    for true in assignments:
        values = values_of(expressions, true)
        assert all(used[node] <= true for node in entered if values[found[node]])


@given(programs(with_cycles=True))
def test_expressions_are_unique(program: Program) -> None:
    expressions, found = program.expressions()
    assert len(set(expressions.nodes)) == len(expressions.nodes)
    assert found == program.expressions()[1]


def expressions_of(
    count: int,
    edges: list[tuple[int, int]],
    roots: dict[int, frozenset[int]],
    guards: dict[int, frozenset[int]] | None = None,
) -> tuple[Expressions, list[int]]:
    return Program(count, edges, roots, guards or {}).expressions()


A, B = frozenset({0}), frozenset({1})


def test_functions_of_unconditional_callers_are_unconditional() -> None:
    _, found = expressions_of(3, [(0, 2), (1, 2)], {0: A, 1: frozenset()})
    assert found == [0, TRUE, TRUE]


def test_a_path_with_a_stronger_condition_is_dropped() -> None:
    expressions, found = expressions_of(4, [(0, 2), (1, 2), (1, 3)], {0: A, 1: A | B})
    assert found[2] == found[0] == 0
    assert found[3] == found[1]
    # One conjunction, and no disjunction.
    assert len(expressions.nodes) == CONSTANTS + 1


def test_unreachable_functions_are_always_present() -> None:
    _, found = expressions_of(4, [(1, 2), (2, 1), (2, 3), (0, 3)], {0: A})
    assert found == [0, TRUE, TRUE, TRUE]


def test_a_recursive_action_keeps_its_guard() -> None:
    _, found = expressions_of(2, [(0, 1), (1, 1)], {0: frozenset()}, {1: B})
    assert found == [TRUE, 1]


def test_expressions_of_long_chains_stay_small() -> None:
    """A chain of functions, each also called by its own kernel with its own requirements."""
    kernels = 1000
    chain = [(kernels + n, kernels + n + 1) for n in range(CHAIN - 1)]
    entering = [(n, kernels + n) for n in range(kernels)]
    expressions = Expressions()
    roots = {n: expressions.constant(n) for n in range(kernels)}
    edges = entering + chain
    found = presence_expressions(
        expressions,
        PresenceConditions(roots, {}),
        kernels + CHAIN,
        [s for s, _ in edges],
        [t for _, t in edges],
    )
    assert len(set(found[kernels:])) == kernels
    assert len(expressions.nodes) < 3 * kernels
