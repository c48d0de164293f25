"""What conditions mean: for each architecture, a function of aspects.

A device has exactly one architecture. A condition names some; all others, those of which nobody
knows yet among them, cannot be told apart by it and are one case more.
"""

from collections.abc import Callable
from typing import NamedTuple

from dovetail.conditions.diagram import FALSE, TRUE, Diagram, Edge, TooLarge
from dovetail.conditions.expression import ASPECT, Condition, fold

MOST_ASPECTS = 128
"""Different ones in a condition; diagrams are walked over by recursion, so deep at most."""


class Cases(NamedTuple):
    """A function for each architecture; equal exactly if the meaning is."""

    others: Edge
    """For all architectures that are not among the known."""
    known: dict[int, Edge]
    """By architecture, where it is not as for the others."""

    def negation(self) -> "Cases":
        """Where this one is false."""
        return Cases(self.others ^ 1, {each: edge ^ 1 for each, edge in self.known.items()})

    def joined(self, other: "Cases", operation: Callable[[Edge, Edge], Edge]) -> "Cases":
        """The conjunction or disjunction of two, architecture by architecture."""
        others = operation(self.others, other.others)
        known: dict[int, Edge] = {}
        for each in self.known.keys() | other.known.keys():
            edge = operation(
                self.known.get(each, self.others),
                other.known.get(each, other.others),
            )
            if edge != others:
                known[each] = edge
        return Cases(others, known)


def cases_of(condition: Condition, diagram: Diagram) -> Cases:
    """What a condition means; `TooLarge` if it has too many aspects or takes too many steps."""
    aspects = {
        number
        for node, number in zip(condition, condition[1:], strict=False)
        if node == ASPECT
    }
    if len(aspects) > MOST_ASPECTS:
        raise TooLarge

    def leaf(kind: int, number: int) -> Cases:
        if kind == ASPECT:
            return Cases(diagram.has(number), {})
        return Cases(FALSE, {number: TRUE})

    def conjunction(one: Cases, other: Cases) -> Cases:
        diagram.spend(len(one.known) + len(other.known))
        return one.joined(other, diagram.both)

    def disjunction(one: Cases, other: Cases) -> Cases:
        diagram.spend(len(one.known) + len(other.known))
        return one.joined(other, diagram.either)

    return fold(condition, leaf, Cases.negation, conjunction, disjunction)
