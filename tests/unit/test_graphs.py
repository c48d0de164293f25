"""Graph algorithms, compared with slow definitions."""

from hypothesis import given, strategies as st

from dovetail.graphs import components, from_bits, gather, reachable, to_bits

CHAIN = 100_000
"""More nodes than Python's recursion limit."""

Successors = list[list[int]]


@st.composite
def graphs(draw: st.DrawFn) -> Successors:
    """A few nodes, with loops and duplicate edges."""
    count = draw(st.integers(0, 8))
    if not count:
        return []
    edges = st.lists(st.integers(0, count - 1), max_size=4)
    return draw(st.lists(edges, min_size=count, max_size=count))


def plainly_reachable(root: int, successors: Successors) -> set[int]:
    """The nodes reachable from `root`, by following one more edge in each round."""
    found = {root}
    while more := {target for node in found for target in successors[node]} - found:
        found |= more
    return found


def edges(successors: Successors) -> tuple[list[int], list[int]]:
    """As lists of sources and targets."""
    sources = [node for node, targets in enumerate(successors) for _ in targets]
    return sources, [target for targets in successors for target in targets]


@given(graphs())
def test_components_are_the_nodes_that_reach_each_other(successors: Successors) -> None:
    reach = [plainly_reachable(node, successors) for node in range(len(successors))]
    together = {
        frozenset(other for other in found if node in reach[other])
        for node, found in enumerate(reach)
    }
    found = components(successors)
    assert sorted(node for component in found for node in component) == [*range(len(successors))]
    assert {frozenset(component) for component in found} == together


@given(graphs())
def test_successors_come_first(successors: Successors) -> None:
    place = {
        node: place for place, component in enumerate(components(successors)) for node in component
    }
    for node, targets in enumerate(successors):
        assert all(place[target] <= place[node] for target in targets)


@given(graphs(), st.data())
def test_gather_is_the_union_of_all_that_is_reachable(
    successors: Successors, data: st.DataObject
) -> None:
    sets = st.sets(st.integers(0, 70), max_size=3)
    own = data.draw(st.lists(sets, min_size=len(successors), max_size=len(successors)))
    bits = [to_bits(numbers) for numbers in own]
    before = list(bits)
    gathered = gather(bits, *edges(successors))
    assert bits == before, "what is given stays as it is"
    for node, found in enumerate(gathered):
        reached = plainly_reachable(node, successors)
        assert set(from_bits(found)) == set[int]().union(*(own[other] for other in reached))


@given(graphs(), st.data())
def test_reachable_is_what_any_root_reaches(successors: Successors, data: st.DataObject) -> None:
    roots = (
        data.draw(st.sets(st.sampled_from(range(len(successors))))) if successors else set[int]()
    )
    expected = set[int]().union(*(plainly_reachable(root, successors) for root in roots))
    assert reachable(roots, successors) == expected


@given(st.lists(st.integers(0, 5000)))
def test_bits_are_a_set(numbers: list[int]) -> None:
    assert list(from_bits(to_bits(numbers))) == sorted(set(numbers))


def test_bits() -> None:
    assert to_bits([]) == 0
    assert to_bits([6, 1, 6]) == 0b100_0010
    assert list(from_bits(0b100_0010)) == [1, 6]


def test_a_long_chain() -> None:
    successors = [[node + 1] for node in range(CHAIN - 1)] + [[]]
    assert components(successors) == [[node] for node in reversed(range(CHAIN))]
    assert gather([0] * (CHAIN - 1) + [2], *edges(successors)) == [2] * CHAIN
    assert len(reachable([0], successors)) == CHAIN


def test_a_long_ring() -> None:
    successors = [[(node + 1) % CHAIN] for node in range(CHAIN)]
    (component,) = components(successors)
    assert sorted(component) == [*range(CHAIN)]
    assert gather([1] + [0] * (CHAIN - 1), *edges(successors)) == [1] * CHAIN
