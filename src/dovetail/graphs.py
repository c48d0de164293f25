"""Algorithms on directed graphs with numbered nodes.

Sets are represented as bits of a number, so a union is cheap. All algorithms are linear in the
number of nodes and edges. None is recursive, so paths may be arbitrarily long.
"""

from collections.abc import Iterable, Iterator, Sequence


def components(successors: Sequence[Iterable[int]]) -> list[list[int]]:
    """Return the strongly connected components, successors before predecessors.

    This is Tarjan's algorithm with an explicit stack.
    """
    found: list[list[int]] = []
    order = [-1] * len(successors)
    lowest = [0] * len(successors)
    is_open = [False] * len(successors)
    open_nodes: list[int] = []
    count = 0
    for root in range(len(successors)):
        if order[root] >= 0:
            continue
        path = [(root, iter(successors[root]))]
        order[root] = lowest[root] = count
        count += 1
        open_nodes.append(root)
        is_open[root] = True
        while path:
            node, rest = path[-1]
            for successor in rest:
                if order[successor] < 0:
                    order[successor] = lowest[successor] = count
                    count += 1
                    open_nodes.append(successor)
                    is_open[successor] = True
                    path.append((successor, iter(successors[successor])))
                    break
                if is_open[successor]:
                    lowest[node] = min(lowest[node], order[successor])
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    lowest[above] = min(lowest[above], lowest[node])
                if lowest[node] == order[node]:
                    found.append(_closed(node, open_nodes, is_open))
    return found


def _closed(node: int, open_nodes: list[int], is_open: list[bool]) -> list[int]:
    """Remove the component that ends with a node from the open nodes, and return it."""
    start = len(open_nodes) - 1
    while open_nodes[start] != node:
        start -= 1
    component = open_nodes[start:]
    del open_nodes[start:]
    for member in component:
        is_open[member] = False
    return component


def gather(own: Sequence[int], sources: Sequence[int], targets: Sequence[int]) -> list[int]:
    """Return the union of the bits in `own` over each node and all nodes reachable from it.

    Edges are given as parallel lists, for speed.
    """
    gathered = list(own)
    predecessors: list[list[int]] = [[] for _ in own]
    open_successors = [0] * len(gathered)
    for source, target in zip(sources, targets, strict=True):
        predecessors[target].append(source)
        open_successors[source] += 1
    # Leaves first; a node is finished when all of its successors are.
    finished = [node for node, count in enumerate(open_successors) if not count]
    for node in finished:
        bits = gathered[node]
        for above in predecessors[node]:
            gathered[above] |= bits
            open_successors[above] -= 1
            if not open_successors[above]:
                finished.append(above)
    if len(finished) < len(gathered):
        _gather_around_cycles(gathered, sources, targets, open_successors)
    return gathered


def _gather_around_cycles(
    gathered: list[int], sources: Sequence[int], targets: Sequence[int], is_open: Sequence[int]
) -> None:
    """Do what `gather` does, for nodes on cycles and their predecessors."""
    successors: list[list[int]] = [[] for _ in gathered]
    for source, target in zip(sources, targets, strict=True):
        if is_open[source]:
            successors[source].append(target)
    for component in components(successors):
        together = 0
        for member in component:
            together |= gathered[member]
            for successor in successors[member]:
                together |= gathered[successor]
        for member in component:
            gathered[member] = together


def reachable(roots: Iterable[int], successors: Sequence[Iterable[int]]) -> set[int]:
    """Return the roots and all nodes that are reachable from them."""
    pending = list(roots)
    seen = set(pending)
    while pending:
        for successor in successors[pending.pop()]:
            if successor not in seen:
                seen.add(successor)
                pending.append(successor)
    return seen


def to_bits(numbers: Iterable[int]) -> int:
    """Return a set of small numbers as bits."""
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits


def from_bits(bits: int) -> Iterator[int]:
    """Return the numbers in a set in ascending order."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
