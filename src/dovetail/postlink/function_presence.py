"""Compute the conditions under which a device gets each function of an image.

A function is present if a function is present that calls or refers to it. An action also has a
guard, which must hold. Equal expressions are shared. If the condition of one path to a
function implies that of another path, the first is dropped.

The graph is traversed once, callers first. Functions that call each other recursively are present
together.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dovetail.graphs import components
from dovetail.spirv.disjunctions import Disjunctions
from dovetail.spirv.expressions import TRUE, Expressions


class PresenceConditions(NamedTuple):
    """Expressions by function number."""

    roots: Mapping[int, int]
    """When entry points are present."""
    guards: Mapping[int, int]
    """When actions may be present."""


def presence_expressions(
    expressions: Expressions,
    given: PresenceConditions,
    count: int,
    sources: Sequence[int],
    targets: Sequence[int],
) -> list[int]:
    """Return the number of the presence expression of each function.

    Edges lead from a function to those that it calls or refers to. A function that is neither
    reachable nor an entry point is always present.
    """
    disjunctions = Disjunctions(expressions)
    callers, given = _break_guarded_cycles(_callers(count, sources, targets), given, disjunctions)
    found = [TRUE] * len(callers)
    # Successors come first, and callers are the successors in this graph.
    for cycle in components(callers):
        members = set(cycle)
        reasons = {found[c] for member in cycle for c in callers[member] if c not in members}
        reasons.update(given.roots[member] for member in cycle if member in given.roots)
        reached = disjunctions.of(reasons) if reasons else TRUE
        for member in cycle:
            both = (reached, given.guards.get(member, TRUE))
            # Flattened, so that equal conjunctions are shared.
            found[member] = expressions.conjunction(
                factor for each in both for factor in disjunctions.factors(each)
            )
    return found[:count]


def _callers(count: int, sources: Sequence[int], targets: Sequence[int]) -> list[list[int]]:
    callers: list[list[int]] = [[] for _ in range(count)]
    for source, target in zip(sources, targets, strict=True):
        callers[target].append(source)
    return callers


def _break_guarded_cycles(
    callers: list[list[int]], given: PresenceConditions, disjunctions: Disjunctions
) -> tuple[list[list[int]], PresenceConditions]:
    """Return the graph and conditions without cycles through guarded functions.

    In such a cycle, the only caller of guarded functions becomes a new node, which is present if
    the cycle can be entered from outside. So a guarded function may be present although nothing
    calls it, but only if its guard holds, and it is present whenever it is called.
    """
    if not given.guards:
        return callers, given
    roots = dict(given.roots)
    opened = [list(each) for each in callers]
    for cycle in components(callers):
        members = set(cycle)
        guarded = [m for m in cycle if m in given.guards and not members.isdisjoint(callers[m])]
        if not guarded:
            continue
        entry = len(opened)
        opened.append([c for member in cycle for c in callers[member] if c not in members])
        entered = [roots[member] for member in cycle if member in roots]
        if entered:
            roots[entry] = disjunctions.of(entered)
        for member in guarded:
            opened[member] = [entry]
    return opened, PresenceConditions(roots, given.guards)
