"""What conditions mean: for each architecture, a function of aspects.

A device has exactly one architecture. A condition names some; all others, those of which nobody
knows yet among them, cannot be told apart by it and are one case more.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from dovetail.conditions.diagram import FALSE, TRUE, Diagram, Edge, TooLarge
from dovetail.conditions.expression import ARCHITECTURE, ASPECT, Condition, fold

MOST_ASPECTS = 128
"""Different ones in a condition; diagrams are walked over by recursion, so deep at most."""
MOST_ARCHITECTURES = 256


class Cases(NamedTuple):
    """A function for each architecture; equal exactly if the meaning is."""

    others: Edge
    """For all architectures that are not among the known."""
    known: dict[int, Edge]
    """By architecture, where it is not as for the others."""

    def negation(self) -> "Cases":
        """Where this one is false."""
        return Cases(self.others ^ 1, {each: edge ^ 1 for each, edge in self.known.items()})

    def of(self, architecture: int) -> Edge:
        """The function for one architecture."""
        return self.known.get(architecture, self.others)


def cases_of(condition: Condition, diagram: Diagram) -> Cases:
    """What a condition means; `TooLarge` if it names too much or takes too many steps."""
    if _names(condition, ASPECT) > MOST_ASPECTS:
        raise TooLarge
    if _names(condition, ARCHITECTURE) > MOST_ARCHITECTURES:
        raise TooLarge

    def leaf(kind: int, number: int) -> Cases:
        if kind == ASPECT:
            return Cases(diagram.has(number), {})
        return Cases(FALSE, {number: TRUE})

    def conjunction(one: Cases, other: Cases) -> Cases:
        return _joined(diagram, diagram.both, TRUE, one, other)

    def disjunction(one: Cases, other: Cases) -> Cases:
        return _joined(diagram, diagram.either, FALSE, one, other)

    return fold(condition, leaf, Cases.negation, conjunction, disjunction)


def _names(condition: Condition, kind: int) -> int:
    """How many different aspects or architectures there are."""
    return len({number for node, number in pairwise(condition) if node == kind})


def _joined(
    diagram: Diagram,
    operation: Callable[[Edge, Edge], Edge],
    neutral: Edge,
    one: Cases,
    other: Cases,
) -> Cases:
    """Two joined by an operation, architecture by architecture."""
    small, large = (one, other) if len(one.known) < len(other.known) else (other, one)
    others = operation(small.others, large.others)
    if small.others == neutral:
        # Most often an architecture joins others: what it does not name stays as it is.
        concerned, known = small.known.keys(), large.known.copy()
    else:
        concerned, known = small.known.keys() | large.known.keys(), {}
    diagram.spend(len(concerned))
    for architecture in concerned:
        edge = operation(small.of(architecture), large.of(architecture))
        if edge != others:
            known[architecture] = edge
        else:
            known.pop(architecture, None)
    return Cases(others, known)
