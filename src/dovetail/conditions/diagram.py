"""Decision diagrams: every function of aspects once.

A node asks for one aspect and has an edge for each answer; aspects come in ascending order, no node
has two equal edges and there are no two equal nodes. So two edges are the same number exactly if
they are the same function (Bryant, 1986). The lowest bit of an edge negates what it leads to, and
where an aspect is there, edges do not negate, which keeps that true and makes negation free.
"""

Edge = int
"""A function, of one diagram."""
TRUE: Edge = 0
FALSE: Edge = 1

_BEYOND = 1 << 31
"""Greater than any aspect: what the end asks for."""


class TooLarge(Exception):
    """A function takes more steps than are granted."""


class Diagram:
    """Functions of aspects, made within a number of steps."""

    def __init__(self, most_steps: int) -> None:
        self._most_steps = most_steps
        self._steps = 0
        self._nodes = [(_BEYOND, TRUE, TRUE)]
        self._edges: dict[tuple[int, Edge, Edge], Edge] = {}
        self._products: dict[tuple[Edge, Edge], Edge] = {}

    def spend(self, steps: int) -> None:
        """Count steps; `TooLarge` if there were too many."""
        self._steps += steps
        if self._steps > self._most_steps:
            raise TooLarge

    def start_over(self) -> None:
        """Grant all steps again, and forget what was computed on the way.

        What is then spent depends on functions alone, not on how they came about.
        """
        self._steps = 0
        self._products.clear()

    def has(self, aspect: int) -> Edge:
        """True where the aspect is there."""
        return self.choice(aspect, TRUE, FALSE)

    def choice(self, aspect: int, present: Edge, absent: Edge) -> Edge:
        """One function where the aspect is there, another where not; both of greater aspects."""
        if present == absent:
            return present
        negated = present & 1
        node = (aspect, present ^ negated, absent ^ negated)
        edge = self._edges.get(node)
        if edge is None:
            edge = self._edges[node] = 2 * len(self._nodes)
            self._nodes.append(node)
        return edge ^ negated

    def first_aspect(self, *edges: Edge) -> int:
        """The least aspect that one of these functions depends on; not all may be constant."""
        return min(self._nodes[edge >> 1][0] for edge in edges)

    def branches(self, edge: Edge, aspect: int) -> tuple[Edge, Edge]:
        """A function where an aspect is there and where not; it may not ask for a lesser one."""
        asked, present, absent = self._nodes[edge >> 1]
        if asked != aspect:
            return edge, edge
        return present ^ (edge & 1), absent ^ (edge & 1)

    def both(self, one: Edge, other: Edge) -> Edge:
        """Conjunction."""
        if one == other or other == TRUE:
            return one
        if one == TRUE:
            return other
        if FALSE in (one, other) or one ^ other == 1:
            return FALSE
        pair = (one, other) if one < other else (other, one)
        product = self._products.get(pair)
        if product is None:
            self.spend(1)
            aspect = self.first_aspect(one, other)
            one_present, one_absent = self.branches(one, aspect)
            other_present, other_absent = self.branches(other, aspect)
            product = self._products[pair] = self.choice(
                aspect,
                self.both(one_present, other_present),
                self.both(one_absent, other_absent),
            )
        return product

    def either(self, one: Edge, other: Edge) -> Edge:
        """Disjunction."""
        return self.both(one ^ 1, other ^ 1) ^ 1

    def implies(self, one: Edge, other: Edge) -> bool:
        """Whether the second is true wherever the first is."""
        return self.both(one, other ^ 1) == FALSE

    def aspects_of(self, edge: Edge) -> set[int]:
        """The aspects that a function depends on."""
        seen = {0}
        pending = [edge >> 1]
        aspects: set[int] = set()
        while pending:
            node = pending.pop()
            if node not in seen:
                seen.add(node)
                aspect, present, absent = self._nodes[node]
                aspects.add(aspect)
                pending += (present >> 1, absent >> 1)
        return aspects
