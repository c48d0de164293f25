"""A function as a sum of products that has no idle product and in them no idle literal.

Within one architecture it is the sum that Minato's and Morreale's algorithm reads off a diagram.
Over all of them, each product of aspects holds for every architecture that it fits, and products
that others make superfluous are dropped, the longest first. All of it follows from the function
alone: equal functions get equal sums.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from dovetail.conditions.cases import Cases
from dovetail.conditions.diagram import FALSE, TRUE, Diagram, Edge
from dovetail.conditions.expression import AND, OR
from dovetail.conditions.terms import Literal, Term, compound

Product = tuple[Literal, ...]
"""Aspects that are there or not, ascending."""

_PRODUCTS_A_STEP = 16
"""Handing one on costs far less than a step in a diagram."""
_STEPS_A_LITERAL = 2
"""Writing one down costs more."""


class _Group(NamedTuple):
    """Architectures with the same function."""

    edge: Edge
    architectures: tuple[int, ...]
    """Ascending; empty if it is all that the other groups do not list."""


def sum_of_products(cases: Cases, diagram: Diagram) -> Term:
    """The sum for a function that is not constant; `TooLarge` if it takes too many steps."""
    groups = _groups(cases)
    candidates = _candidates(diagram, groups)
    kept = candidates if len(groups) == 1 else _irredundant(diagram, candidates, len(groups))
    terms = [_literals(product, candidates[product], groups) for product in kept]
    diagram.spend(_STEPS_A_LITERAL * sum(len(literals) + len(among) for literals, among in terms))
    return compound(OR, [_term(*each) for each in terms])


def _groups(cases: Cases) -> list[_Group]:
    """In the order of their first architectures, the rest last."""
    listed: dict[Edge, list[int]] = {}
    for architecture in sorted(cases.known):
        listed.setdefault(cases.known[architecture], []).append(architecture)
    groups = [_Group(edge, tuple(architectures)) for edge, architectures in listed.items()]
    return [*groups, _Group(cases.others, ())]


class _Sums:
    """Irredundant sums of products of functions of aspects (Minato 1993, after Morreale 1970)."""

    def __init__(self, diagram: Diagram) -> None:
        self._diagram = diagram
        self._between: dict[tuple[Edge, Edge], tuple[list[Product], Edge]] = {}

    def of(self, edge: Edge) -> list[Product]:
        """The products of one function."""
        return self._sum(edge, edge)[0]

    def _sum(self, lower: Edge, upper: Edge) -> tuple[list[Product], Edge]:
        """A sum that is true where `lower` is and false where `upper` is; and its function."""
        if lower == FALSE:
            return [], FALSE
        if upper == TRUE:
            return [()], TRUE
        found = self._between.get((lower, upper))
        if found is None:
            found = self._between[lower, upper] = self._split(lower, upper)
        self._diagram.spend(1 + len(found[0]) // _PRODUCTS_A_STEP)
        return found

    def _split(self, lower: Edge, upper: Edge) -> tuple[list[Product], Edge]:
        """What only one answer to the first question makes true needs its literal; the rest not."""
        diagram = self._diagram
        aspect = diagram.first_aspect(lower, upper)
        lower_present, lower_absent = diagram.branches(lower, aspect)
        upper_present, upper_absent = diagram.branches(upper, aspect)
        if_present, present = self._sum(
            diagram.both(lower_present, upper_absent ^ 1), upper_present
        )
        if_absent, absent = self._sum(diagram.both(lower_absent, upper_present ^ 1), upper_absent)
        left = diagram.either(
            diagram.both(lower_present, present ^ 1), diagram.both(lower_absent, absent ^ 1)
        )
        anyhow, always = self._sum(left, diagram.both(upper_present, upper_absent))
        products = [
            *_with_literal(Literal(False, aspect), if_present),
            *_with_literal(Literal(False, aspect, negated=True), if_absent),
            *anyhow,
        ]
        function = diagram.choice(
            aspect, diagram.either(present, always), diagram.either(absent, always)
        )
        return products, function


def _with_literal(literal: Literal, products: Iterable[Product]) -> Iterable[Product]:
    return ((literal, *product) for product in products)


def _edge_of(diagram: Diagram, product: Product) -> Edge:
    edge = TRUE
    for literal in reversed(product):
        present, absent = (FALSE, edge) if literal.negated else (edge, FALSE)
        edge = diagram.choice(literal.number, present, absent)
    return edge


def _candidates(diagram: Diagram, groups: Sequence[_Group]) -> dict[Product, list[int]]:
    """The products of all groups, with the groups in which they are true only where it is right."""
    sums = _Sums(diagram)
    of_groups = [dict.fromkeys(sums.of(group.edge)) for group in groups]
    candidates: dict[Product, list[int]] = {}
    for product in chain.from_iterable(of_groups):
        if product not in candidates:
            edge = _edge_of(diagram, product)
            candidates[product] = [
                number
                for number, group in enumerate(groups)
                if product in of_groups[number] or diagram.implies(edge, group.edge)
            ]
    return candidates


def _irredundant(
    diagram: Diagram, candidates: dict[Product, list[int]], groups: int
) -> list[Product]:
    """Those that are left when each that the rest makes superfluous is dropped, one by one."""
    order = sorted(candidates, key=lambda each: (-len(each), len(candidates[each]), each))
    # What the products behind each one cover, in each group.
    behind = [[FALSE] * groups]
    for product in reversed(order):
        behind.append(_covered(diagram, behind[-1], product, candidates[product]))
    kept: list[Product] = []
    before = [FALSE] * groups
    for product, after in zip(order, behind[-2::-1], strict=True):
        edge = _edge_of(diagram, product)
        if not all(
            diagram.implies(edge, diagram.either(before[group], after[group]))
            for group in candidates[product]
        ):
            kept.append(product)
            before = _covered(diagram, before, product, candidates[product])
    return kept


def _covered(
    diagram: Diagram, covered: Sequence[Edge], product: Product, groups: Sequence[int]
) -> list[Edge]:
    diagram.spend(len(groups))
    edge = _edge_of(diagram, product)
    more = list(covered)
    for group in groups:
        more[group] = diagram.either(covered[group], edge)
    return more


def _literals(
    product: Product, fitting: Sequence[int], groups: Sequence[_Group]
) -> tuple[list[Literal], list[Literal]]:
    """A product, with the architectures for which it does not count; or those for which it does.

    All of the first hold, and one of the second if there are any.
    """
    rest = len(groups) - 1
    if rest not in fitting:
        among = [each for number in fitting for each in groups[number].architectures]
        return [*product], [Literal(True, each) for each in among]
    not_among = [
        each
        for number, group in enumerate(groups)
        if number not in fitting
        for each in group.architectures
    ]
    return [*product, *(Literal(True, each, negated=True) for each in not_among)], []


def _term(literals: Sequence[Literal], among: Sequence[Literal]) -> Term:
    return compound(AND, [*literals, compound(OR, among)] if among else literals)
