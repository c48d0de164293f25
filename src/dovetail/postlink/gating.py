"""When the functions of an image are there, if some of them are entered on some devices alone.

A function is there where one is that calls or refers to it. What is called under a condition has a
gate: it is there where, besides, that holds. Conditions are shared, and of two ways to come to a
function, one that needs more than the other is left out.

One walk over the calls, callers first. Functions that call each other in a circle are there
together.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dovetail.graphs import components
from dovetail.spirv.disjunctions import Disjunctions
from dovetail.spirv.expressions import TRUE, Expressions


class Gates(NamedTuple):
    """Functions by number, with expressions: where they are entered, and what their gates ask."""

    roots: Mapping[int, int]
    gates: Mapping[int, int]


def gated(
    expressions: Expressions,
    given: Gates,
    count: int,
    sources: Sequence[int],
    targets: Sequence[int],
) -> list[int]:
    """By function, the number of the expression that says when it is there.

    Edges lead from who calls or refers to what is called. What nothing leads to and nobody enters
    is always there.
    """
    disjunctions = Disjunctions(expressions)
    callers, given = _with_open_circles(_callers(count, sources, targets), given, disjunctions)
    found = [TRUE] * len(callers)
    # Those that lead to a function are its successors here, so that they come first.
    for circle in components(callers):
        members = set(circle)
        leading = {found[c] for member in circle for c in callers[member] if c not in members}
        leading.update(given.roots[member] for member in circle if member in given.roots)
        together = disjunctions.of(leading) if leading else TRUE
        for member in circle:
            both = (together, given.gates.get(member, TRUE))
            # In one order, whichever of the two has which: so the same is there once.
            found[member] = expressions.conjunction(
                factor for each in both for factor in disjunctions.factors(each)
            )
    return found[:count]


def _callers(count: int, sources: Sequence[int], targets: Sequence[int]) -> list[list[int]]:
    callers: list[list[int]] = [[] for _ in range(count)]
    for source, target in zip(sources, targets, strict=True):
        callers[target].append(source)
    return callers


def _with_open_circles(
    callers: list[list[int]], given: Gates, disjunctions: Disjunctions
) -> tuple[list[list[int]], Gates]:
    """The same without circles that lead through gates.

    In such a circle, what has a gate is there where anything outside leads into the circle: one
    more node stands for that. So it may be there though nobody comes to call it, but never where
    its gate is closed; and whoever calls it has it.
    """
    if not given.gates:
        return callers, given
    roots = dict(given.roots)
    opened = [list(each) for each in callers]
    for circle in components(callers):
        members = set(circle)
        closed = [m for m in circle if m in given.gates and not members.isdisjoint(callers[m])]
        if not closed:
            continue
        outside = len(opened)
        opened.append([c for member in circle for c in callers[member] if c not in members])
        entered = [roots[member] for member in circle if member in roots]
        if entered:
            roots[outside] = disjunctions.of(entered)
        for member in closed:
            opened[member] = [outside]
    return opened, Gates(roots, given.gates)
