"""When functions are there, against a plain search for a way that leads to them."""

from dataclasses import dataclass
from itertools import product

from expression_values import values_of
from hypothesis import given
from hypothesis import strategies as st

from dovetail.graphs import from_bits, gather, reachable
from dovetail.postlink.gating import Gates, gated
from dovetail.spirv.expressions import TRUE, Expressions

CHAIN = 20_000
"""More functions than Python would recurse through."""


@dataclass(frozen=True)
class Program:
    """Functions by number, with calls from lower to higher ones unless there are circles."""

    count: int
    edges: list[tuple[int, int]]
    roots: dict[int, frozenset[int]]
    """Which constants have to be true where a function is entered."""
    gates: dict[int, frozenset[int]]

    def expressions(self) -> tuple[Expressions, list[int]]:
        """The constants are the first expressions, so that they have the same numbers."""
        expressions = Expressions()
        for constant in range(CONSTANTS):
            assert expressions.constant(constant) == constant
        all_of = expressions.conjunction
        given = Gates(
            {node: all_of(each) for node, each in self.roots.items()},
            {node: all_of(each) for node, each in self.gates.items()},
        )
        sources, targets = [s for s, _ in self.edges], [t for _, t in self.edges]
        return expressions, gated(expressions, given, self.count, sources, targets)

    def there(self, true: frozenset[int]) -> set[int]:
        """What code that is entered comes to: a search that stops at gates that are closed."""
        edges = [e for e in self.edges if self.gates.get(e[1], frozenset()) <= true]
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
def programs(draw: st.DrawFn, *, with_circles: bool) -> Program:
    count = draw(st.integers(1, 8))
    nodes = st.integers(0, count - 1)
    drawn = draw(st.lists(st.tuples(nodes, nodes), max_size=16))
    edges = drawn if with_circles else [(min(e), max(e)) for e in drawn if e[0] != e[1]]
    some = st.frozensets(st.integers(0, CONSTANTS - 1), max_size=3)
    called = {target for _, target in edges}
    gates = draw(st.dictionaries(nodes, some.filter(bool), max_size=4))
    gates = {node: gate for node, gate in gates.items() if node in called}
    # What nobody calls is entered; so may be anything that has no gate.
    roots = {
        node: draw(some)
        for node in range(count)
        if node not in gates and (node not in called or draw(st.booleans()))
    }
    # As in an image, which has nothing that is not entered.
    entered = reachable(roots, successors(count, edges))
    return Program(count, [e for e in edges if e[0] in entered], roots, gates)


def successors(count: int, edges: list[tuple[int, int]]) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(count)]
    for source, target in edges:
        found[source].append(target)
    return found


@given(programs(with_circles=False))
def test_a_function_is_there_where_a_way_leads_to_it(program: Program) -> None:
    entered = reachable(program.roots, successors(program.count, program.edges))
    expressions, found = program.expressions()
    for true in assignments:
        values = values_of(expressions, true)
        there = {node for node in entered if values[found[node]]}
        assert there == program.there(true)


@given(programs(with_circles=True))
def test_circles_are_there_where_they_are_called(program: Program) -> None:
    """Perhaps more often, but whoever is there has all that it calls, and gates are closed."""
    entered = reachable(program.roots, successors(program.count, program.edges))
    expressions, found = program.expressions()
    for true in assignments:
        values = values_of(expressions, true)
        there = {node for node in entered if values[found[node]]}
        assert there >= program.there(true)
        assert all(gate <= true for node, gate in program.gates.items() if node in there)
        for source, target in program.edges:
            is_open = program.gates.get(target, frozenset()) <= true
            assert source not in there or not is_open or target in there


@given(programs(with_circles=True), st.data())
def test_what_is_there_needs_what_is_met_alone(program: Program, data: st.DataObject) -> None:
    """Roots and gates ask for all that is used through calls without a gate."""
    bits = st.integers(0, (1 << CONSTANTS) - 1)
    own = data.draw(st.lists(bits, min_size=program.count, max_size=program.count))
    plain = [(s, t) for s, t in program.edges if t not in program.gates]
    used = [
        frozenset(from_bits(each))
        for each in gather(own, [s for s, _ in plain], [t for _, t in plain])
    ]
    program = Program(
        program.count,
        program.edges,
        {node: used[node] for node in program.roots},
        {node: gate | used[node] for node, gate in program.gates.items()},
    )
    entered = reachable(program.roots, successors(program.count, program.edges))
    expressions, found = program.expressions()
    for true in assignments:
        values = values_of(expressions, true)
        assert all(used[node] <= true for node in entered if values[found[node]])


@given(programs(with_circles=True))
def test_nothing_is_there_twice(program: Program) -> None:
    expressions, found = program.expressions()
    assert len(set(expressions.nodes)) == len(expressions.nodes)
    assert found == program.expressions()[1]


def simply(
    count: int,
    edges: list[tuple[int, int]],
    roots: dict[int, frozenset[int]],
    gates: dict[int, frozenset[int]] | None = None,
) -> tuple[Expressions, list[int]]:
    return Program(count, edges, roots, gates or {}).expressions()


A, B = frozenset({0}), frozenset({1})


def test_an_unconditional_caller_leaves_no_condition() -> None:
    _, found = simply(3, [(0, 2), (1, 2)], {0: A, 1: frozenset()})
    assert found == [0, TRUE, TRUE]


def test_a_way_that_needs_more_than_another_is_left_out() -> None:
    expressions, found = simply(4, [(0, 2), (1, 2), (1, 3)], {0: A, 1: A | B})
    assert found[2] == found[0] == 0
    assert found[3] == found[1]
    # One conjunction, and no disjunction.
    assert len(expressions.nodes) == CONSTANTS + 1


def test_what_nothing_leads_to_is_always_there() -> None:
    _, found = simply(4, [(1, 2), (2, 1), (2, 3), (0, 3)], {0: A})
    assert found == [0, TRUE, TRUE, TRUE]


def test_an_action_that_calls_itself_keeps_its_gate() -> None:
    _, found = simply(2, [(0, 1), (1, 1)], {0: frozenset()}, {1: B})
    assert found == [TRUE, 1]


def test_long_chains_and_many_ways_stay_small() -> None:
    """A chain of functions, each called by a kernel of its own with requirements of its own."""
    kernels = 1000
    chain = [(kernels + n, kernels + n + 1) for n in range(CHAIN - 1)]
    entering = [(n, kernels + n) for n in range(kernels)]
    expressions = Expressions()
    roots = {n: expressions.constant(n) for n in range(kernels)}
    edges = entering + chain
    found = gated(
        expressions,
        Gates(roots, {}),
        kernels + CHAIN,
        [s for s, _ in edges],
        [t for _, t in edges],
    )
    assert len(set(found[kernels:])) == kernels
    assert len(expressions.nodes) < 3 * kernels
