"""Reduced ordered binary decision diagrams with complement edges, over aspects.

A node tests one aspect and has an edge for each outcome. Aspects are in ascending order, no node
has two equal edges, and no two nodes are equal, so two edges are the same number if and only if
they are the same function (Bryant, 1986). The lowest bit of an edge negates its target. The edge
for a present aspect never negates, which keeps the form canonical and makes negation free.
"""

Edge = int
"""A function of aspects, in one diagram."""
TRUE: Edge = 0
FALSE: Edge = 1

_TERMINAL = 1 << 31
"""The variable of the terminal nodes: greater than any aspect."""


class TooLarge(Exception):
    """An operation exceeds its limit of steps."""


class Diagram:
    """Functions of aspects, computed within a limit of steps."""

    def __init__(self, max_steps: int) -> None:
        self._max_steps = max_steps
        self._steps = 0
        # By edge: the aspect, and the cofactors for a present and for an absent aspect.
        self._branches = [(_TERMINAL, TRUE, TRUE), (_TERMINAL, FALSE, FALSE)]
        self._edges: dict[tuple[int, Edge, Edge], Edge] = {}
        self._products: dict[tuple[Edge, Edge], Edge] = {}

    def spend(self, steps: int) -> None:
        """Count steps; raise `TooLarge` above the limit."""
        self._steps += steps
        if self._steps > self._max_steps:
            raise TooLarge

    def reset_steps(self) -> None:
        """Reset the count of steps and clear the memo of conjunctions.

        The steps counted from here on then depend only on the functions, not on their history.
        """
        self._steps = 0
        self._products.clear()

    def variable(self, aspect: int) -> Edge:
        """Return the function that is true if the aspect is present."""
        return self.node(aspect, TRUE, FALSE)

    def node(self, aspect: int, present: Edge, absent: Edge) -> Edge:
        """Return the function with these cofactors, which test only greater aspects."""
        if present == absent:
            return present
        negated = present & 1
        branches = (aspect, present ^ negated, absent ^ negated)
        edge = self._edges.get(branches)
        if edge is None:
            edge = self._edges[branches] = len(self._branches)
            self._branches += (branches, (aspect, branches[1] ^ 1, branches[2] ^ 1))
        return edge ^ negated

    def first_aspect(self, one: Edge, other: Edge) -> int:
        """Return the least aspect that one of two functions depends on; one is not constant."""
        return min(self._branches[one][0], self._branches[other][0])

    def branches(self, edge: Edge, aspect: int) -> tuple[Edge, Edge]:
        """Return the cofactors for a present and an absent aspect; no lesser one is tested."""
        tested, present, absent = self._branches[edge]
        return (present, absent) if tested == aspect else (edge, edge)

    def both(self, one: Edge, other: Edge) -> Edge:
        """Return the conjunction."""
        if one == other or other == TRUE:
            return one
        if one == TRUE:
            return other
        if one == FALSE or other == FALSE or one ^ other == 1:
            return FALSE
        pair = (one, other) if one < other else (other, one)
        product = self._products.get(pair)
        if product is None:
            self.spend(1)
            product = self._products[pair] = self._product(one, other)
        return product

    def _product(self, one: Edge, other: Edge) -> Edge:
        # `branches` inlined: normalization spends most of its time here.
        aspect, present, absent = self._branches[one]
        other_aspect, other_present, other_absent = self._branches[other]
        if aspect < other_aspect:
            other_present = other_absent = other
        elif aspect > other_aspect:
            aspect = other_aspect
            present = absent = one
        return self.node(aspect, self.both(present, other_present), self.both(absent, other_absent))

    def either(self, one: Edge, other: Edge) -> Edge:
        """Return the disjunction."""
        return self.both(one ^ 1, other ^ 1) ^ 1

    def implies(self, one: Edge, other: Edge) -> bool:
        """Return whether the first function implies the second."""
        return self.both(one, other ^ 1) == FALSE

    def aspects_of(self, edge: Edge) -> set[int]:
        """Return the aspects that a function depends on."""
        seen = {TRUE, FALSE}
        pending = [edge]
        aspects: set[int] = set()
        while pending:
            each = pending.pop()
            if each not in seen:
                seen.add(each)
                aspect, present, absent = self._branches[each]
                aspects.add(aspect)
                pending += (present, absent)
        return aspects
