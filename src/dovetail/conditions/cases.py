"""The meaning of a condition: a Boolean function of aspects for each architecture.

A device has exactly one architecture. A condition names some of them; it cannot distinguish the
others, which include future ones, so they are one more case.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from dovetail.conditions.diagram import FALSE, TRUE, Diagram, Edge, TooLarge
from dovetail.conditions.expression import ARCHITECTURE, ASPECT, Condition, fold

MAX_ASPECTS = 128
"""Distinct aspects in a condition. It bounds the recursion over a diagram, one level per aspect."""
MAX_ARCHITECTURES = 256


class Cases(NamedTuple):
    """A function of aspects for each architecture; equal if and only if the conditions are."""

    others: Edge
    """The function for every architecture that is not in `known`."""
    known: dict[int, Edge]
    """The functions that differ from `others`, by architecture."""

    def negation(self) -> "Cases":
        """Return the cases of the negated condition."""
        return Cases(self.others ^ 1, {each: edge ^ 1 for each, edge in self.known.items()})

    def of(self, architecture: int) -> Edge:
        """Return the function for one architecture."""
        return self.known.get(architecture, self.others)


def cases_of(condition: Condition, diagram: Diagram) -> Cases:
    """Return the cases of a condition; raise `TooLarge` if it exceeds the limits."""
    if _count(condition, ASPECT) > MAX_ASPECTS:
        raise TooLarge
    if _count(condition, ARCHITECTURE) > MAX_ARCHITECTURES:
        raise TooLarge

    def leaf(kind: int, number: int) -> Cases:
        if kind == ASPECT:
            return Cases(diagram.variable(number), {})
        return Cases(FALSE, {number: TRUE})

    def conjunction(one: Cases, other: Cases) -> Cases:
        return _combined(diagram, diagram.both, TRUE, one, other)

    def disjunction(one: Cases, other: Cases) -> Cases:
        return _combined(diagram, diagram.either, FALSE, one, other)

    return fold(condition, leaf, Cases.negation, conjunction, disjunction)


def _count(condition: Condition, kind: int) -> int:
    """Return the number of distinct aspects or architectures in a condition."""
    return len({number for node, number in pairwise(condition) if node == kind})


def _combined(
    diagram: Diagram,
    operation: Callable[[Edge, Edge], Edge],
    neutral: Edge,
    one: Cases,
    other: Cases,
) -> Cases:
    """Return the cases of an operation on two conditions, applied for each architecture."""
    small, large = (one, other) if len(one.known) < len(other.known) else (other, one)
    others = operation(small.others, large.others)
    if small.others == neutral:
        # The usual case adds one architecture to many: only the functions it names change.
        affected, known = small.known.keys(), large.known.copy()
    else:
        affected, known = small.known.keys() | large.known.keys(), {}
    diagram.spend(len(affected))
    for architecture in affected:
        edge = operation(small.of(architecture), large.of(architecture))
        if edge != others:
            known[architecture] = edge
        else:
            known.pop(architecture, None)
    return Cases(others, known)
