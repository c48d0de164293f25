"""When the functions of an image are there, if some of them are entered on some devices alone.

A function is there where one is that calls or refers to it. What is called under a condition has a
gate: it is there where, besides, that holds. Conditions are shared, and what is obvious is left out
of them: of two ways to come to a function, one that needs more than the other.

One walk over the calls, callers first. Functions that call each other in a circle are there
together.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dovetail.graphs import components
from dovetail.spirv.expressions import Expressions

Conjunction = frozenset[int]
"""Where all of some expressions are true, by their numbers; everywhere, if there are none."""
Ways = frozenset[Conjunction]
"""Where one of some conjunctions holds."""

_ALWAYS: Ways = frozenset({frozenset()})
_MOST_WAYS = 64
"""More than these count as one, so that no function takes long to look at."""


@dataclass(frozen=True)
class Gates:
    """Functions by number: where they are entered, and what those that have a gate ask."""

    roots: Mapping[int, Ways]
    gates: Mapping[int, Conjunction]


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
    callers, given = _with_open_circles(_callers(count, sources, targets), given)
    ways = _Ways(expressions)
    found: list[Ways] = [_ALWAYS] * len(callers)
    # Those that lead to a function are its successors here, so that they come first.
    for circle in components(callers):
        members = set(circle)
        leading = {found[c] for member in circle for c in callers[member] if c not in members}
        leading.update(given.roots[member] for member in circle if member in given.roots)
        together = ways.either(leading) if leading else _ALWAYS
        for member in circle:
            gate = given.gates.get(member)
            found[member] = ways.narrowed(together, gate) if gate else together
    return [ways.number(each) for each in found[:count]]


def _callers(count: int, sources: Sequence[int], targets: Sequence[int]) -> list[list[int]]:
    callers: list[list[int]] = [[] for _ in range(count)]
    for source, target in zip(sources, targets, strict=True):
        callers[target].append(source)
    return callers


def _with_open_circles(callers: list[list[int]], given: Gates) -> tuple[list[list[int]], Gates]:
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
            roots[outside] = frozenset[Conjunction]().union(*entered)
        for member in closed:
            opened[member] = [outside]
    return opened, Gates(roots, given.gates)


class _Ways:
    """Joins ways, each only once."""

    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions
        self._joined: dict[frozenset[Ways], Ways] = {}
        self._numbers: dict[Ways, int] = {}

    def either(self, of: Iterable[Ways]) -> Ways:
        """Where one of them holds."""
        key = frozenset(of)
        if key not in self._joined:
            self._joined[key] = self._short(frozenset[Conjunction]().union(*key))
        return self._joined[key]

    def _short(self, ways: Ways) -> Ways:
        """Without those that need all that another one needs, and more."""
        if frozenset() in ways:
            return _ALWAYS
        if len(ways) > _MOST_WAYS:
            return frozenset({frozenset({self.number(ways)})})
        kept: list[Conjunction] = []
        for way in sorted(ways, key=len):
            if not any(other <= way for other in kept):
                kept.append(way)
        return frozenset(kept)

    def narrowed(self, ways: Ways, gate: Conjunction) -> Ways:
        """Where they hold, and the gate is open."""
        if len(ways) == 1:
            (only,) = ways
            return frozenset({only | gate})
        return frozenset({gate | {self.number(ways)}})

    def number(self, ways: Ways) -> int:
        """The expression that says so."""
        if ways not in self._numbers:
            of = [self._expressions.conjunction(each) for each in sorted(ways, key=sorted)]
            self._numbers[ways] = self._expressions.disjunction(of)
        return self._numbers[ways]
