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
        # By edge: the aspect, and the function where it is there and where not.
        self._branches = [(_BEYOND, TRUE, TRUE), (_BEYOND, FALSE, FALSE)]
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
        branches = (aspect, present ^ negated, absent ^ negated)
        edge = self._edges.get(branches)
        if edge is None:
            edge = self._edges[branches] = len(self._branches)
            self._branches += (branches, (aspect, branches[1] ^ 1, branches[2] ^ 1))
        return edge ^ negated

    def first_aspect(self, one: Edge, other: Edge) -> int:
        """The least aspect that one of two functions depends on; not both may be constant."""
        return min(self._branches[one][0], self._branches[other][0])

    def branches(self, edge: Edge, aspect: int) -> tuple[Edge, Edge]:
        """A function where an aspect is there and where not; it may not ask for a lesser one."""
        asked, present, absent = self._branches[edge]
        return (present, absent) if asked == aspect else (edge, edge)

    def both(self, one: Edge, other: Edge) -> Edge:
        """Conjunction."""
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
        # As `branches` says, in place: here conditions spend most of their time.
        aspect, present, absent = self._branches[one]
        other_aspect, other_present, other_absent = self._branches[other]
        if aspect < other_aspect:
            other_present = other_absent = other
        elif aspect > other_aspect:
            aspect = other_aspect
            present = absent = one
        return self.choice(
            aspect, self.both(present, other_present), self.both(absent, other_absent)
        )

    def either(self, one: Edge, other: Edge) -> Edge:
        """Disjunction."""
        return self.both(one ^ 1, other ^ 1) ^ 1

    def implies(self, one: Edge, other: Edge) -> bool:
        """Whether the second is true wherever the first is."""
        return self.both(one, other ^ 1) == FALSE

    def aspects_of(self, edge: Edge) -> set[int]:
        """The aspects that a function depends on."""
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
